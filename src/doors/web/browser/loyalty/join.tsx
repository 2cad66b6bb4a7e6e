/** Joining a loyalty programme. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JoinFault } from '../../components/card/join-form.tsx';
import { JoinView, type JoinProps } from '../../components/card/join-view.tsx';
import { useReader } from '../../components/reader.ts';
import { readCard } from '../card.ts';
import { clientFor } from '../start.tsx';
import { draftOf, useJoin } from './use-join.ts';

/** The first wrong field takes the focus. */
const useFocusOnFault = (faults: readonly JoinFault[]): void => {
  const [fault] = faults;
  useEffect(() => {
    if (fault !== undefined) document.getElementById(`joiner-${fault}`)?.focus();
  }, [faults]);
};

export const Join = (props: JoinProps) => {
  const { language } = useReader();
  const client = useMemo(() => clientFor(language), [language]);
  const live = useJoin(client, props);
  const [isAlive, setIsAlive] = useState(false);
  const [card, setCard] = useState<string | null>(null);
  useEffect(() => {
    const joiner = draftOf();
    if (joiner !== null) live.change({ form: joiner });
    setCard(readCard(props.slug));
    setIsAlive(true);
  }, []);
  useFocusOnFault(live.faults);
  return (
    <JoinView
      {...{ ...live, joiner: live.form, isAlive, asksBirthday: props.asksBirthday }}
      cardAddress={card === null ? null : `/card/${card}`}
      onJoiner={(form) => live.change({ form })}
      onCode={live.typeCode}
      onResend={live.resend}
      onOtherPhone={() => live.change({ code: null })}
      onSubmit={live.submit}
    />
  );
};
