/** Proves a phone by the code that was sent to it. */
import { ApiError, type Client } from '../../../client/client.ts';

/**
 * Returns how many seconds to wait before another code. A code that was sent within the last minute still works, so it is
 * no error to ask again. Throws as the client does.
 */
export const requestCode = async (client: Client, phone: string): Promise<number> => {
  try {
    const { body } = await client.requestOtp({ body: { phone } });
    return body?.resend_after_seconds ?? 0;
  } catch (error) {
    const wait = error instanceof ApiError ? error.body.resend_after_seconds : undefined;
    if (wait === undefined) throw error;
    return wait;
  }
};

/** Returns the device token. Throws as the client does, OTP_INVALID too. */
export const provePhone = async (client: Client, phone: string, code: string): Promise<string> => {
  const { body } = await client.verifyOtp({ body: { phone, code } });
  if (body === null) throw new Error('The proof of a phone has no body.');
  return body.device_token;
};
