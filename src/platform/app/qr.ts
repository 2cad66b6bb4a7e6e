import { create } from 'qrcode';

/** Modules of white on each side (ISO/IEC 18004). */
const QUIET_ZONE = 4;

export interface QrDrawing {
  /** Of the square, with its quiet zone, in modules. */
  readonly side: number;
  /** Its dark modules, as a path of SVG. */
  readonly path: string;
}

export const qrDrawing = (text: string): QrDrawing => {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const rows = Array.from({ length: modules.size }, (_, y) =>
    Array.from({ length: modules.size }, (_, x) =>
      modules.get(y, x) ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : '',
    ).join(''),
  );
  return { side: modules.size + 2 * QUIET_ZONE, path: rows.join('') };
};
