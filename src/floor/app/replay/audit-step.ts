import type { Uuid } from '../../../kernel/ids.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import type { DeviceFloorParts } from './parts.ts';

/** What a device did to a ticket, in the audit log. */
export const auditStep = async (
  { app }: Pick<DeviceFloorParts, 'app'>,
  { tx, orgId, staffId, deviceId, branchId, now }: ReplayContext,
  subjectId: Uuid,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> => {
  await recordAudit(app, tx, {
    ...{ orgId, staffId, deviceId, branchId, at: now, action: 'ticket.replayed', subject: 'ticket' },
    ...{ subjectId, detail },
  });
};
