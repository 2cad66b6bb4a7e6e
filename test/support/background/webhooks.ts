/** What a receiver of webhooks checks. */
import { signatureOf } from '../../../src/messaging/app/webhook.ts';
import type { WebhookRequest } from '../../../src/ports.ts';

export const isSignedWith = (secret: string, { headers, body }: WebhookRequest): boolean =>
  headers['webhook-signature'] ===
  signatureOf(
    Buffer.from(secret.replace('whsec_', ''), 'base64'),
    headers['webhook-id'] ?? '',
    Number(headers['webhook-timestamp']),
    body,
  );
