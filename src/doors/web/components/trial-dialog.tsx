/** A request to the API, and its answer. */
import type { Ref } from 'preact';
import { docs } from '../messages/compiled/docs.ts';
import { Icon } from './icon.tsx';
import { useMessages } from './reader.ts';
import {
  requestLine,
  type TrialField,
  type TrialOperation,
  type TrialReply,
  type TrialState,
} from './trial.ts';

const Field = ({
  field,
  onValue,
}: {
  readonly field: TrialField;
  readonly onValue: (value: string) => void;
}) => {
  const t = useMessages(docs);
  const id = `trial-${field.name}`;
  return (
    <div class="field">
      <label for={id}>
        <code dir="ltr">{field.name}</code>{' '}
        <small class="muted">{field.isRequired ? t.required : t.optional}</small>
      </label>
      <input
        id={id}
        dir="ltr"
        value={field.value}
        required={field.isRequired}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
};

const Answer = ({ reply }: { readonly reply: TrialReply }) => {
  const t = useMessages(docs);
  return (
    <>
      <details>
        <summary>{t.headers}</summary>
        <pre dir="ltr" tabIndex={0}>
          <code>{reply.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</code>
        </pre>
      </details>
      {reply.body !== '' && (
        <pre dir="ltr" class="answer" tabIndex={0} aria-label={t.body}>
          <code>{reply.body}</code>
        </pre>
      )}
    </>
  );
};

/** What happened, for eyes and ears. */
const Outcome = ({ state }: { readonly state: TrialState }) => {
  const t = useMessages(docs);
  return (
    <div class="outcome">
      <p role="status">
        {state.kind === 'sending' && t.sending}
        {state.kind === 'failed' && t.failed}
        {state.kind === 'answered' && (
          <strong>
            {t.status} <bdi dir="ltr">{state.reply.status}</bdi>
          </strong>
        )}
      </p>
      {state.kind === 'answered' && <Answer reply={state.reply} />}
    </div>
  );
};

interface TrialDialogProps {
  /** Null: closed. */
  readonly operation: TrialOperation | null;
  readonly state: TrialState;
  readonly dialog?: Ref<HTMLDialogElement> | null;
  readonly onValue?: (name: string, value: string) => void;
  readonly onSend?: () => void;
  readonly onClose?: () => void;
}

export const TrialDialog = ({
  operation,
  state,
  dialog = null,
  onValue,
  onSend,
  onClose,
}: TrialDialogProps) => {
  const t = useMessages(docs);
  return (
    <dialog class="trial" ref={dialog} aria-labelledby="trial-title" onClose={() => onClose?.()}>
      {operation !== null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSend?.();
          }}
        >
          <div class="trial-head">
            <h2 id="trial-title" tabIndex={-1}>
              {t.tryIt} <code dir="ltr">GET {operation.path}</code>
            </h2>
            <button type="button" class="close" aria-label={t.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </div>
          {operation.fields.map((field) => (
            <Field key={field.name} field={field} onValue={(value) => onValue?.(field.name, value)} />
          ))}
          <p class="address" dir="ltr">
            <code>{requestLine(operation).address}</code>
          </p>
          <button class="button" aria-disabled={state.kind === 'sending'}>
            {t.send}
          </button>
          <Outcome state={state} />
        </form>
      )}
    </dialog>
  );
};
