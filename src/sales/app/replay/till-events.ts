/** Tills that devices opened, moved cash in and closed without the server (Decisions 13). */
import { singleLine } from '../../../kernel/free-text.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { addMinutes } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import type { ApplyEvent } from '../../../platform/app/replay.ts';
import { reason } from '../../../platform/domain/review.ts';
import type { SaleEventData } from '../../contract/events.ts';
import { MINUTES_IN_FEED } from '../../domain/feed.ts';
import { knownMethods } from '../../domain/till.ts';
import { earlierSalesOfTill } from '../../store/feed.ts';
import { lockPerson, lockTill, openTillOfPerson, tillById } from '../../store/till.ts';
import { saleChange } from '../changes.ts';
import { recordMovement } from '../tills/cash.ts';
import { closeOpenTill, countedSums } from '../tills/close.ts';
import { insertOpenTill } from '../tills/open.ts';
import { takingsOf, type TillParts } from '../tills/report.ts';
import { lineIn } from '../tills/till.ts';

const inReview = (code: 'till_unknown' | 'till_closed', id: Uuid) => ({
  reasons: [reason(code, { till_id: id })],
});

/** Beside another open till of the person where there is one. */
export const openTillOfDevice =
  (app: App): ApplyEvent<SaleEventData['till_open']> =>
  async (context, { till_id: id, opening_float: openingFloat }) => {
    const { tx, orgId, branchId, staffId, deviceId, at } = context;
    await lockPerson(tx, orgId, staffId);
    if ((await tillById(tx, orgId, id)) !== null) return 'known';
    const other = await openTillOfPerson(tx, context);
    await insertOpenTill(app, context, {
      ...{ orgId, id, branchId, staffId, deviceId, openedAt: at, openingFloat },
      isOpenedOffline: other !== null,
    });
    return { reasons: other === null ? [] : [reason('till_open_elsewhere', { till_id: other.id })] };
  };

/** After the close of the till it is beside the figures. */
export const moveCashOfDevice =
  (app: App): ApplyEvent<SaleEventData['till_cash']> =>
  async (context, { till_id: id, movement: kind, amount, reason: text }) => {
    const { tx, orgId, branchId, at } = context;
    const line = lineIn(text, 'data.reason');
    const till = await lockTill(tx, orgId, id);
    if (till === null) return { waitsFor: id };
    if (till.branchId !== branchId) return inReview('till_unknown', id);
    const isLate = till.status !== 'open';
    const movement = { kind, amount, reason: line, at, isLate };
    await recordMovement(app, { ...context, by: context }, till, movement);
    return isLate ? inReview('till_closed', id) : { reasons: [] };
  };

/** With the figures of everything that has come so far. */
export const closeTillOfDevice =
  (parts: TillParts): ApplyEvent<SaleEventData['till_close']> =>
  async (context, { till_id: id, counted: count, note }) => {
    const { tx, log, orgId, branchId, at, now } = context;
    const counted = countedSums(count, 'data.counted');
    const till = await lockTill(tx, orgId, id);
    if (till === null) return { waitsFor: id };
    if (till.branchId !== branchId) return inReview('till_unknown', id);
    if (till.status !== 'open') return inReview('till_closed', id);
    const takings = await takingsOf(parts, tx, till);
    await closeOpenTill(parts.app, context, till, {
      ...{ status: 'closed', counted, note: singleLine(note), closedAt: Math.max(at, till.openedAt) },
      ...{ by: context, takings },
    });
    // Devices held them because the till was open. No sweep will tell that they have left.
    const left = await earlierSalesOfTill(tx, orgId, id, addMinutes(now, -MINUTES_IN_FEED));
    log.add(orgId, ...left.map(saleChange));
    const known = knownMethods(takings);
    const unknown = Object.keys(counted).filter((method) => !known.includes(method));
    return { reasons: unknown.map((method) => reason('method_unknown', { method })) };
  };
