/** The member code as a QR code that a till scans from a screen. */
import { Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import { qrSvg } from '../../platform/app/qr.ts';
import type { PathOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/card.ts';
import { standingCode } from './card-token.ts';
import { memberOfToken } from './member.ts';

/** GET /public/loyalty/card/{member_token}/qr.svg. Throws NOT_FOUND. */
export const getCardQr =
  (app: App) =>
  async ({ path }: { path: PathOf<typeof contract.getCardQr> }): Promise<string> => {
    const member = await memberOfToken(app, path.member_token);
    const code = standingCode(app, member);
    if (code === null) throw new Refusal('NOT_FOUND');
    return qrSvg(code);
  };
