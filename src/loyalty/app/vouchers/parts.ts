import type { VoucherKeys } from '../../../ports.ts';

declare module '../../../platform/app/app.ts' {
  interface App {
    readonly voucherKeys: VoucherKeys;
  }
}
