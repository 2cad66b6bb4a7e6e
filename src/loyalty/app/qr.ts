/** The member code as a QR code that a till scans from a screen. */
import { create } from 'qrcode';
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import type { PathOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/card.ts';
import { standingCode } from './card-token.ts';
import { memberOfToken } from './member.ts';

/** Modules of white on each side (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Dark on white, one path of whole modules. */
const qrSvg = (text: string): string => {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const side = modules.size + 2 * QUIET_ZONE;
  const rows = Array.from({ length: modules.size }, (_, y) =>
    Array.from({ length: modules.size }, (_, x) =>
      modules.get(y, x) ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : '',
    ).join(''),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${rows.join('')}"/></svg>`,
  ].join('');
};

/** GET /public/loyalty/card/{member_token}/qr.svg. Throws NOT_FOUND. */
export const getCardQr =
  (app: App) =>
  async ({ path }: { path: PathOf<typeof contract.getCardQr> }): Promise<string> => {
    const member = await memberOfToken(app, path.member_token);
    const code = standingCode(app, member);
    if (code === null) throw new Refusal('NOT_FOUND');
    return qrSvg(code);
  };
