/** From the form to the card: code, faults, retries. */
import { useRef, useState } from 'preact/hooks';
import type { Client } from '../../../../client/client.ts';
import { NOBODY, type JoinCode, type Joiner, type JoinFault } from '../../components/card/join-form.tsx';
import { isWholeCode } from '../../components/otp-field.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import { join } from '../../messages/compiled/join.ts';
import { otp } from '../../messages/compiled/otp.ts';
import { keepCard } from '../card.ts';
import { keepDevice } from '../device.ts';
import { dropDraft, keepDraft, readDraft } from '../draft.ts';
import { bodyOf, requestJoin } from './join-request.ts';
import { provePhone, requestCode } from '../proof.ts';
import { describeFailure, isRefusal } from '../words.ts';

interface JoinState {
  readonly joiner: Joiner;
  readonly faults: readonly JoinFault[];
  readonly code: JoinCode | null;
  readonly fault: string | null;
  readonly isBusy: boolean;
}

export interface LiveJoin extends JoinState {
  readonly change: (change: Partial<JoinState>) => void;
  readonly resend: () => void;
  readonly submit: () => void;
}

const DRAFT = 'ahwa-joiner';

const isJoiner = (value: unknown): value is Joiner =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(NOBODY).every((name) => typeof (value as Record<string, unknown>)[name] === 'string');

/** The server has drawn an empty form: what was typed before a reload comes back once the page is alive. */
export const draftOf = (): Joiner | null => readDraft(DRAFT, isJoiner);

const EMPTY: JoinState = { joiner: NOBODY, faults: [], code: null, fault: null, isBusy: false };

interface JoinTarget {
  readonly orgId: string;
  readonly slug: string;
}

export const useJoin = (client: Client, { orgId, slug }: JoinTarget): LiveJoin => {
  const t = useMessages(join);
  const words = useMessages(otp);
  const { language } = useReader();
  const [state, setState] = useState(EMPTY);
  /** At once, unlike the state: of a double tap the second is none. */
  const isUnderWay = useRef(false);
  const change = (changed: Partial<JoinState>): void => {
    if (changed.joiner !== undefined) keepDraft(DRAFT, changed.joiner);
    setState((before) => ({ ...before, ...changed }));
  };

  const askForCode = async (known: JoinCode['known']): Promise<void> => {
    const wait = await requestCode(client, state.joiner.phone);
    change({ code: { code: '', fault: null, resendAt: Date.now() + wait * 1000, known }, isBusy: false });
  };

  /** True: joined, and the page is being left. */
  const ask = async (): Promise<boolean> => {
    const outcome = await requestJoin(client, bodyOf(orgId, state.joiner, language));
    if (outcome.kind === 'joined') {
      keepCard(slug, outcome.token);
      dropDraft(DRAFT);
      location.assign(`/card/${outcome.token}`);
      return true;
    }
    if (outcome.kind === 'unproven') await askForCode(outcome.known);
    else change({ faults: outcome.faults, code: null, isBusy: false });
    return false;
  };

  /** False: the code was not accepted. */
  const prove = async (code: JoinCode): Promise<boolean> => {
    try {
      keepDevice(await provePhone(client, state.joiner.phone, code.code));
      // It is used up: if joining gets no answer, it is repeated without it.
      change({ code: null });
      return true;
    } catch (error) {
      if (!isRefusal(error, 'OTP_INVALID')) throw error;
      change({ code: { ...code, code: '', fault: error.body.error }, isBusy: false });
      return false;
    }
  };

  /** `work` returns whether the page is being left: then it stays busy. */
  const run = async (work: () => Promise<boolean>): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    change({ isBusy: true, fault: null, faults: [] });
    try {
      isUnderWay.current = await work();
    } catch (error) {
      isUnderWay.current = false;
      change({ fault: describeFailure(error, t.offline), isBusy: false });
    }
  };

  const submit = (): void => {
    const { code } = state;
    if (code !== null && !isWholeCode(code.code)) {
      change({ code: { ...code, fault: words.incomplete } });
      return;
    }
    void run(async () => (code === null || (await prove(code))) && ask());
  };

  const resend = (): void => {
    const known = state.code?.known ?? null;
    void run(async () => {
      await askForCode(known);
      return false;
    });
  };

  return { ...state, change, resend, submit };
};
