/** Sheets of QR cards for the tables of a branch: A4 pages of SVG, to be printed and cut. */

/** In millimetres. */
const PAGE = { width: 210, height: 297, margin: 10, columns: 3, rows: 4 } as const;
const CARD = {
  width: (PAGE.width - 2 * PAGE.margin) / PAGE.columns,
  height: (PAGE.height - 2 * PAGE.margin) / PAGE.rows,
} as const;
const QR_SIDE = 38;

const CARDS_ON_A_PAGE = PAGE.columns * PAGE.rows;

export interface TableCard {
  readonly label: string;
  /** The QR code of its address, in modules. */
  readonly qr: { readonly side: number; readonly path: string };
}

export interface CardLook {
  readonly shop: string;
  readonly branch: string;
  /** `#RRGGBB`. */
  readonly accent: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

const centred = (text: string, y: number, size: number, more = ''): string =>
  `<text x="${CARD.width / 2}" y="${y}" font-size="${size}" text-anchor="middle"${more}>${escaped(text)}</text>`;

/** Black on white, whatever the shop's colours are: a camera must read it. */
const qrOf = ({ qr }: TableCard): string => {
  const scale = QR_SIDE / qr.side;
  const x = (CARD.width - QR_SIDE) / 2;
  return (
    `<g transform="translate(${x.toFixed(3)} 11) scale(${scale.toFixed(5)})" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${qr.side}v${qr.side}H0z"/><path fill="#000" d="${qr.path}"/></g>`
  );
};

const cardOf = (card: TableCard, { shop, branch, accent }: CardLook, index: number): string => {
  const x = PAGE.margin + (index % PAGE.columns) * CARD.width;
  const y = PAGE.margin + Math.floor(index / PAGE.columns) * CARD.height;
  return [
    `<g transform="translate(${x.toFixed(3)} ${y.toFixed(3)})">`,
    `<rect x="1.5" y="1.5" width="${(CARD.width - 3).toFixed(3)}" height="${(CARD.height - 3).toFixed(3)}" rx="4" fill="#fff" stroke="${accent}" stroke-width="0.8"/>`,
    centred(shop, 8.5, 4.2, ` font-weight="700" fill="${accent}"`),
    qrOf(card),
    centred(card.label, 55, 6, ' font-weight="700"'),
    centred('اطلب من هنا', 60.5, 3.6, ' direction="rtl"'),
    centred(`Order here · ${branch}`, 64.8, 3),
    '</g>',
  ].join('');
};

const pageOf = (cards: readonly TableCard[], look: CardLook): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE.width}mm" height="${PAGE.height}mm" ` +
  `viewBox="0 0 ${PAGE.width} ${PAGE.height}" font-family="Tajawal, 'Noto Sans Arabic', system-ui, sans-serif" fill="#111">` +
  `<rect width="100%" height="100%" fill="#fff"/>${cards.map((card, index) => cardOf(card, look, index)).join('')}</svg>\n`;

/** One SVG for each page; none without cards. */
export const cardPages = (cards: readonly TableCard[], look: CardLook): readonly string[] =>
  Array.from({ length: Math.ceil(cards.length / CARDS_ON_A_PAGE) }, (_, page) =>
    pageOf(cards.slice(page * CARDS_ON_A_PAGE, (page + 1) * CARDS_ON_A_PAGE), look),
  );
