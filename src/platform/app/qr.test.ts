import { create } from 'qrcode';
import { expect, test } from 'vitest';
import { qrDrawing } from './qr.ts';

test('a QR code is drawn with its dark modules, each once, within four white ones', () => {
  const text = 'a voucher '.repeat(40);
  const { side, path } = qrDrawing(text);
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const drawn = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].flatMap(([, x, y, length]) =>
    Array.from({ length: Number(length) }, (_, at) => `${Number(x) + at - 4} ${Number(y) - 4}`),
  );
  const dark = Array.from({ length: modules.size ** 2 }, (_, at) => [
    at % modules.size,
    Math.floor(at / modules.size),
  ])
    .filter(([x = 0, y = 0]) => modules.get(y, x))
    .map((place) => place.join(' '));
  expect(side).toBe(modules.size + 8);
  expect(drawn).toEqual(dark);
});
