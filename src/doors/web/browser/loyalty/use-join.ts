/** From the form to the card. */
import type { Client } from '../../../../client/client.ts';
import { NOBODY, type JoinCode, type Joiner, type JoinFault } from '../../components/card/join-form.tsx';
import { useMessages, useReader } from '../../components/reader.ts';
import { join } from '../../messages/compiled/join.ts';
import { keepCard } from '../card.ts';
import { dropDraft, readDraft } from '../draft.ts';
import { requestCode } from '../proof.ts';
import { codeSent, hasTexts, usePhoneForm } from '../use-phone-form.ts';
import { bodyOf, requestJoin } from './join-request.ts';

const DRAFT = 'ahwa-joiner';

const isJoiner = (value: unknown): value is Joiner => hasTexts(value, Object.keys(NOBODY));

/** The server has drawn an empty form: what was typed before a reload comes back once the page is alive. */
export const draftOf = (): Joiner | null => readDraft(DRAFT, isJoiner);

interface JoinTarget {
  readonly orgId: string;
  readonly slug: string;
}

export const useJoin = (client: Client, { orgId, slug }: JoinTarget) => {
  const { offline } = useMessages(join);
  const { language } = useReader();
  const live = usePhoneForm<Joiner, JoinFault, JoinCode>(client, {
    ...{ draft: DRAFT, first: () => NOBODY, offline },
  });

  const sendCode = async (known: JoinCode['known']): Promise<void> => {
    const wait = await requestCode(client, live.form.phone);
    live.change({ code: { ...codeSent(wait), known }, isBusy: false });
  };

  /** True: joined, and the page is being left. */
  const ask = async (): Promise<boolean> => {
    const outcome = await requestJoin(client, bodyOf(orgId, live.form, language));
    if (outcome.kind === 'joined') {
      keepCard(slug, outcome.token);
      dropDraft(DRAFT);
      location.assign(`/card/${outcome.token}`);
      return true;
    }
    if (outcome.kind === 'unproven') await sendCode(outcome.known);
    else live.change({ faults: outcome.faults, code: null, isBusy: false });
    return false;
  };

  return {
    ...live,
    submit: () => live.submit(ask),
    resend: () => live.resend(() => sendCode(live.code?.known ?? null)),
  };
};
