/** The member code as a QR code that a till scans from a screen. */
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import { qrDrawing } from '../../platform/app/qr.ts';
import type { PathOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/card.ts';
import { standingCode } from './card-token.ts';
import { memberOfToken } from './member.ts';

/** Dark on white, one path of whole modules. */
const qrSvg = (text: string): string => {
  const { side, path } = qrDrawing(text);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${path}"/></svg>`,
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
