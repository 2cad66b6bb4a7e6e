/**
 * What the app needs from the world outside. Interfaces only; `adapters` implement them and `main.ts` wires
 * them. Time and randomness are ports because no rule reads the machine's or the database's (Decisions 10).
 */
import type { GeoPoint } from './kernel/geo.ts';
import type { Uuid } from './kernel/ids.ts';
import type { Language } from './kernel/names.ts';
import type { SendOutcome } from './messaging/domain/outbox.ts';
import type { PasskeyCreated, PasskeyShown } from './staff/domain/second-factor.ts';
import type { SecurityEventKind, SecurityFacts } from './platform/domain/security-event.ts';
import type { Instant } from './kernel/time.ts';

export interface Clock {
  /** The service's moment: real time, or real time running on from `CLOCK_START`. */
  now(): Instant;
}

export interface Random {
  /** Unpredictable bytes. */
  bytes(count: number): Uint8Array;
  /** A version 4 UUID. */
  uuid(): Uuid;
  /** A whole number from 0 to `limit` − 1, each as likely. */
  below(limit: number): number;
}

/** Ends what was begun. Safe to call twice. */
export type Stop = () => void;

export interface Timers {
  /** Does `work` every `ms` milliseconds, until it is ended. */
  readonly every: (ms: number, work: () => void) => Stop;
  /** Does `work` once, after `ms` milliseconds, unless it is ended before. */
  readonly after: (ms: number, work: () => void) => Stop;
}

/** As `pino` has it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Where security events are recorded: a log line each, and a counter by kind. */
export interface SecurityEvents {
  /** `times`: how many a line stands for, where many alike are recorded as one. */
  record(kind: SecurityEventKind, facts?: SecurityFacts, times?: number): void;
  readonly counts: Readonly<Record<SecurityEventKind, number>>;
}

/** The passwords that most people choose, which whoever guesses tries first. */
export interface CommonPasswords {
  /** Whether a password is among them, in small letters or capitals. */
  has(password: string): boolean;
}

/** A message as its provider knows it: an approved template, its language and its ordered parameters. */
export interface TemplateMessage {
  /** Canonical digits with the country code. */
  readonly phone: string;
  readonly template: string;
  readonly language: Language;
  readonly parameters: readonly string[];
}

/** Brings texts to phones. Nothing here rejects: what goes wrong is an outcome. */
export interface Messenger {
  /** False where no sender is set up that may be used here. */
  readonly isReady: boolean;
  /** One try, at once: a code is never queued (Decisions 10). */
  sendCode(to: {
    readonly phone: string;
    readonly language: Language;
    readonly code: string;
  }): Promise<SendOutcome>;
  send(message: TemplateMessage): Promise<SendOutcome>;
}

export interface RoadDistance {
  /** Metres by road; null where no answer is to be had: none is set up, it is down, slow, or answers nonsense. */
  meters(from: GeoPoint, to: GeoPoint): Promise<number | null>;
}

/** What an address said; `gone`: that nothing is to come there any more. */
export type PostOutcome =
  SendOutcome | { readonly sent: false; readonly again: 'gone'; readonly reason: string };

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts to addresses that shops name: https, public addresses only, no redirects (Decisions 12). */
export interface WebhookPoster {
  post(request: WebhookRequest): Promise<PostOutcome>;
}

/** One thing without which requests are not answered well. */
export interface ReadinessCheck {
  /** Names it in the log: `disk`. */
  readonly name: string;
  /** What is wrong now, in a few words for the log; null where all is well. One that throws is at fault with its message. */
  fault(): Promise<string | null> | string | null;
}

/** A passkey as it is kept. */
export interface PasskeyCredential {
  readonly credentialId: Uint8Array;
  /** As COSE writes it. */
  readonly publicKey: Uint8Array;
  /** How often its authenticator says that it was used; 0 always where it does not count. */
  readonly signCount: number;
  readonly transports: readonly string[];
}

/** JSON for `navigator.credentials`. */
export type BrowserOptions = Record<string, unknown>;

type KnownPasskey = Pick<PasskeyCredential, 'credentialId' | 'transports'>;

/** Judges what browsers and authenticators say of passkeys, for the service's own address (WebAuthn). */
export interface Passkeys {
  /** What a browser is told to make a passkey with. */
  creationOptions(
    person: { readonly id: Uuid; readonly account: string; readonly displayName: string },
    known: readonly KnownPasskey[],
    challenge: Uint8Array,
  ): Promise<BrowserOptions>;
  /** What a browser is told to ask for one of these with. */
  requestOptions(known: readonly KnownPasskey[], challenge: Uint8Array): Promise<BrowserOptions>;
  /** The challenge that is said to be signed, in base64url; null where none is. */
  challengeIn(response: PasskeyCreated | PasskeyShown): string | null;
  /** The new passkey; null where anything is wrong with it. */
  created(made: PasskeyCreated, challenge: string): Promise<PasskeyCredential | null>;
  /** How often it says now that it was used; null where anything is wrong with it. */
  shown(response: PasskeyShown, challenge: string, known: PasskeyCredential): Promise<number | null>;
}
