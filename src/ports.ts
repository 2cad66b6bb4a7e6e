/**
 * Time and randomness are ports because no rule reads them from the machine or the database (Decisions 10).
 */
import type { GeoPoint } from './kernel/geo.ts';
import type { Uuid } from './kernel/ids.ts';
import type { Language } from './kernel/names.ts';
import type { CardFace } from './loyalty/domain/card-face.ts';
import type { VoucherClaims, VoucherKey } from './loyalty/domain/voucher.ts';
import type { SendOutcome, Unsent } from './messaging/domain/outbox.ts';
import type { WebhookAllow } from './messaging/domain/webhook-allow.ts';
import type { SearchInput, SearchName, SearchResult } from './pricing/domain/searches.ts';
import type { PictureFault, PictureFormat } from './pictures/domain/picture.ts';
import type { PictureWidth } from './pictures/domain/served.ts';
import type { PasskeyRegistration, PasskeyAssertion } from './staff/domain/second-factor.ts';
import type { SecurityEventKind, SecurityFacts } from './platform/domain/security-event.ts';
import type { Instant } from './kernel/time.ts';

export interface Clock {
  /** The service's time: real, or running on from `CLOCK_START`. */
  now(): Instant;
}

export interface Random {
  /** Cryptographically secure. */
  bytes(count: number): Uint8Array;
  /** Version 4. */
  uuid(): Uuid;
  /** Uniform, from 0 to `limit` − 1. */
  below(limit: number): number;
}

/** Idempotent. */
export type Stop = () => void;

export interface Timers {
  readonly every: (ms: number, work: () => void) => Stop;
  readonly after: (ms: number, work: () => void) => Stop;
}

/** A subset of `pino`. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Each event is a log line and a counter by kind. */
export interface SecurityEvents {
  /** `times`: number of equal events in one line. */
  record(kind: SecurityEventKind, facts?: SecurityFacts, times?: number): void;
  readonly counts: Readonly<Record<SecurityEventKind, number>>;
}

export interface CommonPasswords {
  /** Ignores case. */
  has(password: string): boolean;
}

/** The parameters are in the template's order. */
export interface TemplateMessage {
  /** Digits with the country code. */
  readonly phone: string;
  readonly template: string;
  readonly language: Language;
  readonly parameters: readonly string[];
}

/** Never rejects: failures are outcomes. */
export interface Messenger {
  /** False when no usable sender is configured. */
  readonly isReady: boolean;
  /** One attempt; a code is never queued (Decisions 10). */
  sendCode(to: {
    readonly phone: string;
    readonly language: Language;
    readonly code: string;
  }): Promise<SendOutcome>;
  send(message: TemplateMessage): Promise<SendOutcome>;
}

/** Worker threads for searches that would hold up the event loop. */
export interface SearchThreads {
  /** Searches that may run at once. */
  readonly size: number;
  /** With the milliseconds that the thread took. Throws UNAVAILABLE where the thread ends before it has answered. */
  run<N extends SearchName>(
    name: N,
    input: SearchInput<N>,
  ): Promise<{ readonly result: SearchResult<N>; readonly ms: number }>;
  close(): Promise<void>;
}

export interface RoadDistance {
  /** Metres by road; null without an answer. */
  meters(from: GeoPoint, to: GeoPoint): Promise<number | null>;
}

/** `gone`: the receiver wants no further events. */
export type PostOutcome =
  SendOutcome | { readonly sent: false; readonly again: 'gone'; readonly reason: string };

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookAnswer {
  readonly outcome: PostOutcome;
  /** Null: no answer. */
  readonly status: number | null;
}

/** https, public addresses only but for `allow`, no redirects (Decisions 12). Never rejects. */
export interface WebhookPoster {
  /** Hosts inside that it reaches too, also by http. */
  readonly allow: WebhookAllow;
  post(request: WebhookRequest): Promise<WebhookAnswer>;
}

/** Signs vouchers with the first key of SECRET_KEY (JWS, ES256); all of its keys verify. */
export interface VoucherKeys {
  /** The one that signs first. They are secret to nobody. */
  readonly published: readonly VoucherKey[];
  sign(claims: VoucherClaims): Promise<string>;
  /** What was signed; null: none of our keys has signed this text. */
  verify(text: string): Promise<unknown>;
}

export interface PassOrder {
  readonly face: CardFace;
  readonly pictures: PassPictures;
  /** What a phone authorizes itself with at the web service. */
  readonly authenticationToken: string;
  readonly webServiceUrl: string;
}

/** Apple Wallet (Decisions 11, Wallet one). */
export interface WalletOne {
  /** Null: not set. */
  readonly passType: string | null;
  /** Why no pass can be made now, a sentence for the operator; null: it can. */
  fault(now: Instant): string | null;
  /** A signed `.pkpass`. Rejects while there is a fault. */
  makePass(order: PassOrder): Promise<Uint8Array>;
  /** Tells a phone that one of its passes has changed. Never rejects; `gone`: no phone has this push token. */
  push(pushToken: string): Promise<PostOutcome>;
  /** Ends the connection to the push server. */
  close(): void;
}

/** Google Wallet (Decisions 11, Wallet two). A signal that aborts ends a call, which then asks for a later try. */
export interface WalletTwo {
  /** Number of the issuer account, with which ids begin. */
  readonly issuer: string;
  /** Why it cannot be used, a sentence for the operator; null: it can. */
  readonly fault: string | null;
  /** Inserts it, or patches it where it is known; the other way round where that is wrong. Never rejects. */
  saveClass(resource: { readonly id: string }, isKnown: boolean, signal: AbortSignal): Promise<SendOutcome>;
  /** Whether somebody has saved the object; sends its id alone. Never rejects. */
  hasObject(id: string, signal: AbortSignal): Promise<boolean | Unsent>;
  /** `gone`: there is no such object. Never rejects. */
  patchObject(resource: { readonly id: string }, signal: AbortSignal): Promise<PostOutcome>;
  /** Address that adds the payload's objects to a wallet. Rejects while there is a fault. */
  saveLink(payload: object): Promise<string>;
  /** Asks the API for the issuer's classes; null: it answers. */
  check(): Promise<string | null>;
}

export interface ReadinessCheck {
  /** Name in the log: `disk`. */
  readonly name: string;
  /** The current fault, in a few words for the log; null when healthy. A thrown error counts as a fault. */
  fault(): Promise<string | null> | string | null;
}

export interface PasskeyCredential {
  readonly credentialId: Uint8Array;
  /** COSE format. */
  readonly publicKey: Uint8Array;
  /** Use counter of the authenticator; always 0 when it does not count. */
  readonly signCount: number;
  readonly transports: readonly string[];
}

/** JSON for `navigator.credentials`. */
export type BrowserOptions = Record<string, unknown>;

type KnownPasskey = Pick<PasskeyCredential, 'credentialId' | 'transports'>;

/** Verifies WebAuthn responses for the service's own origin. */
export interface Passkeys {
  /** Options for `navigator.credentials.create`. */
  creationOptions(
    person: { readonly id: Uuid; readonly account: string; readonly displayName: string },
    known: readonly KnownPasskey[],
    challenge: Uint8Array,
  ): Promise<BrowserOptions>;
  /** Options for `navigator.credentials.get`. */
  requestOptions(known: readonly KnownPasskey[], challenge: Uint8Array): Promise<BrowserOptions>;
  /** The challenge in the response, base64url; null when missing. */
  challengeIn(response: PasskeyRegistration | PasskeyAssertion): string | null;
  /** Null when the response is invalid. */
  verifyRegistration(made: PasskeyRegistration, challenge: string): Promise<PasskeyCredential | null>;
  /** The new use counter; null when the response is invalid. */
  verifyAuthentication(
    response: PasskeyAssertion,
    challenge: string,
    known: PasskeyCredential,
  ): Promise<number | null>;
}

export interface PictureFacts {
  readonly format: PictureFormat;
  /** Pixels, as shown: an orientation in the file is applied. */
  readonly width: number;
  readonly height: number;
}

/** What a link to a shop shows in a chat. */
export interface SocialCard {
  readonly title: string;
  readonly subtitle: string | null;
  readonly direction: 'rtl' | 'ltr';
  /** `#RRGGBB`. */
  readonly colors: { readonly background: string; readonly foreground: string; readonly accent: string };
  /** Original bytes. */
  readonly logo: Uint8Array | null;
  readonly cover: Uint8Array | null;
}

/** What the pictures of a pass are made from. */
export interface PassLook {
  readonly title: string;
  readonly subtitle: string | null;
  readonly direction: 'rtl' | 'ltr';
  /** `#RRGGBB`. */
  readonly colors: { readonly background: string; readonly foreground: string; readonly accent: string };
  /** Original bytes; null: drawn from colours and title. */
  readonly logo: Uint8Array | null;
  readonly strip: Uint8Array | null;
}

/** PNG files by name, such as `icon@2x.png`. */
export type PassPictures = Readonly<Record<string, Uint8Array>>;

/** The bytes decide the format of a picture, never a name or a header. */
export interface PictureRenderer {
  /** Decodes the whole picture. */
  inspect(bytes: Uint8Array): Promise<PictureFacts | { readonly fault: PictureFault }>;
  /** WebP without metadata; never wider than the original, except an SVG. */
  resize(bytes: Uint8Array, width: PictureWidth): Promise<Uint8Array>;
  /** JPEG of 1200 × 630 pixels and at most 300 KB. */
  socialCard(card: SocialCard): Promise<Uint8Array>;
  /** Icon, logo and strip in three sizes. */
  passPictures(look: PassLook): Promise<PassPictures>;
  /** The logo of a shop as a square PNG of 660 pixels, drawn from its name where it has none. */
  shopMark(look: PassLook): Promise<Uint8Array>;
}

export type Download =
  | { readonly bytes: Uint8Array }
  /** In a few words: `answered 404`. */
  | { readonly reason: string };

/** https and public addresses only; redirects are checked like the address. Never rejects. */
export interface PictureDownloader {
  download(url: string): Promise<Download>;
}

/** Downloads that wait for their import: of a hundred pictures of 10 MB, memory holds one. */
export interface PictureSpool {
  /** Returns how to read the bytes again. */
  keep(bytes: Uint8Array): () => Uint8Array;
  /** Everything that was kept. */
  discard(): void;
}

/** The files beside a shop file. */
export interface PictureFolder {
  /** The bytes at a path such as `pictures/latte.jpg`. */
  read(
    path: string,
  ): Uint8Array | { readonly fault: 'missing' | 'outside' | 'unreadable' | 'too many bytes' };
}
