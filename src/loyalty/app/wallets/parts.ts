import type { WalletOne, WalletTwo } from '../../../ports.ts';
import type { PassPictureCache } from './pass-pictures.ts';

declare module '../../../platform/app/app.ts' {
  interface App {
    /** Null: not configured. */
    readonly walletOne: WalletOne | null;
    /** Null: not configured. */
    readonly walletTwo: WalletTwo | null;
    readonly passPictures: PassPictureCache;
  }
}
