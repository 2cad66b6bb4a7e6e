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
  const rows = Array.from({ length: modules.size }, (_, y) => {
    const row = Array.from({ length: modules.size }, (_, x) => (modules.get(y, x) ? '#' : ' ')).join('');
    return [...row.matchAll(/#+/g)]
      .map(({ 0: { length }, index }) => `M${index + QUIET_ZONE} ${y + QUIET_ZONE}h${length}v1h-${length}z`)
      .join('');
  });
  return { side: modules.size + 2 * QUIET_ZONE, path: rows.join('') };
};

/** Dark on white, one path of whole modules. */
export const qrSvg = (text: string): string => {
  const { side, path } = qrDrawing(text);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${path}"/></svg>`,
  ].join('');
};
