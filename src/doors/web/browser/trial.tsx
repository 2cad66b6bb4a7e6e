/** Sends requests from the API reference, and copies its command lines. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useReader } from '../components/reader.ts';
import { requestLine, type TrialOperation, type TrialReply, type TrialState } from '../components/trial.ts';
import { TrialDialog } from '../components/trial-dialog.tsx';

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const send = async (operation: TrialOperation, language: string): Promise<TrialReply> => {
  const { address, headers } = requestLine(operation);
  const own = { Accept: 'application/json', 'Accept-Language': language };
  const response = await fetch(address, { headers: { ...own, ...headers } });
  return { status: response.status, headers: [...response.headers], body: pretty(await response.text()) };
};

/** The nearest element around the tapped one that has the attribute. */
const around = ({ target }: Event, attribute: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(`[${attribute}]`) : null;

const copyBeside = async (button: HTMLElement): Promise<void> => {
  const code = button.closest('.command')?.querySelector('code');
  if (code == null) return;
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = button.dataset['copied'] ?? '';
  } catch {
    getSelection()?.selectAllChildren(code);
  }
};

const isPlain = ({ ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey;

const useTaps = (operations: readonly TrialOperation[], open: (operation: TrialOperation) => void): void => {
  useEffect(() => {
    const onTap = (event: MouseEvent): void => {
      const copy = around(event, 'data-copied');
      if (copy !== null) void copyBeside(copy);
      const id = around(event, 'data-try')?.dataset['try'];
      const chosen = operations.find((operation) => operation.id === id);
      if (chosen === undefined || !isPlain(event)) return;
      event.preventDefault();
      open(chosen);
    };
    document.addEventListener('click', onTap);
    return () => document.removeEventListener('click', onTap);
  }, [operations, open]);
};

const IDLE: TrialState = { kind: 'idle' };

export const Trial = ({ operations }: { readonly operations: readonly TrialOperation[] }) => {
  const { language } = useReader();
  const dialog = useRef<HTMLDialogElement>(null);
  /** The number of the request whose answer is awaited: a closed dialog takes none. */
  const latest = useRef(0);
  const [operation, setOperation] = useState<TrialOperation | null>(null);
  const [state, setState] = useState<TrialState>(IDLE);
  useTaps(operations, setOperation);
  useEffect(() => {
    if (operation === null || dialog.current?.open !== false) return;
    dialog.current.showModal();
    dialog.current.querySelector<HTMLElement>('h2')?.focus();
  }, [operation]);
  const close = (): void => {
    latest.current += 1;
    dialog.current?.close();
    setOperation(null);
    setState(IDLE);
  };
  const answer = async (asked: TrialOperation): Promise<void> => {
    const number = (latest.current += 1);
    setState({ kind: 'sending' });
    const outcome = await send(asked, language).then(
      (reply): TrialState => ({ kind: 'answered', reply }),
      (): TrialState => ({ kind: 'failed' }),
    );
    if (latest.current === number) setState(outcome);
  };
  return (
    <TrialDialog
      {...{ operation, state, dialog }}
      onValue={(name, value) =>
        setOperation(
          (now) =>
            now && {
              ...now,
              fields: now.fields.map((field) => (field.name === name ? { ...field, value } : field)),
            },
        )
      }
      onSend={() => {
        if (operation !== null && state.kind !== 'sending') void answer(operation);
      }}
      onClose={close}
    />
  );
};
