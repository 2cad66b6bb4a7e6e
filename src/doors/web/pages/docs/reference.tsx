/** The operations, errors and shapes of the API, from the endpoint table. In English. */
import type { ComponentChildren } from 'preact';
import { REFUSALS, type RefusalName } from '../../../../kernel/refusal.ts';
import { fileOf, type Endpoint } from '../../../../platform/contract/endpoint.ts';
import { TAGS } from '../../../../service/contract/audiences.ts';
import { anchorOf } from '../../../../service/contract/document-blocks.ts';
import { fieldRows, typeOf } from '../../../../service/contract/fields.ts';
import { ANSWER_HEADERS, refusalsByStatus } from '../../../../service/contract/operation.ts';
import { cacheText, parameterRows } from '../../../../service/contract/reference.ts';
import { namedBy, plain, type Plain } from '../../../../service/contract/shapes.ts';
import { docs } from '../../messages/compiled/docs.ts';
import { useMessages, useReader } from '../../components/reader.ts';
import { requestLine } from '../../components/trial.ts';
import { addressOf, errorPlace, placeOf, shapePlace, type shapesOn } from './pages.ts';
import { commandFor, isTried, trialOf, type Samples } from './samples.ts';

/** Pages of the Markdown documents that are pages of the reference; places have an address of their own. */
const DOCUMENTS: Readonly<Record<string, string>> = { 'api.md': '/docs', 'staff-api.md': '/docs/staff' };

/** Null: of a document that only the repository has. */
const hrefOf = (target: string): string | null => {
  if (target.startsWith('https:')) return target;
  const [document = '', place] = target.split('#');
  if (document !== '' && DOCUMENTS[document] === undefined) return null;
  return place === undefined ? (DOCUMENTS[document] ?? null) : addressOf(place);
};

/** Text with `code` and [links](#place), as the Markdown documents have it. */
export const Inline = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((piece, at) => {
      if (piece.startsWith('`')) return <code key={at}>{piece.slice(1, -1)}</code>;
      const [, words = '', target = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(piece) ?? [];
      if (words === '') return piece;
      const href = hrefOf(target);
      return href === null ? words : <a href={href}>{words}</a>;
    })}
  </>
);

interface RowProps {
  readonly name: string;
  readonly facts: readonly string[];
  readonly text: string;
}

export const Row = ({ name, facts, text }: RowProps) => (
  <div>
    <dt>
      <Inline text={name} />
    </dt>
    <dd>
      <span class="facts">
        <Inline text={facts.filter((fact) => fact !== '').join(' · ')} />
      </span>
      {text !== '' && <Inline text={` ${text}`} />}
    </dd>
  </div>
);

/** Rows of name, type, whether it is always there, description. */
export const Fields = ({ schema }: { readonly schema: Plain }) => {
  const rows = fieldRows(schema);
  const isBody = schema['additionalProperties'] === false;
  if (rows.length === 0) return null;
  return (
    <dl class="rows">
      {rows.map(([name = '', type = '', always, text = '']) => (
        <Row
          key={name}
          {...{ name, text }}
          facts={[type, always === 'yes' ? (isBody ? 'required' : '') : isBody ? '' : 'may be left out']}
        />
      ))}
    </dl>
  );
};

const Parameters = ({ e }: { readonly e: Endpoint }) => {
  const rows = parameterRows(e);
  if (rows.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <dl class="rows">
        {rows.map(([name = '', place = '', required, value = '', text = '']) => (
          <Row key={name} {...{ name, text }} facts={[place, required === 'yes' ? 'required' : '', value]} />
        ))}
      </dl>
    </>
  );
};

const Refusals = ({ e }: { readonly e: Endpoint }) => (
  <>
    {refusalsByStatus(e).map(([status, names]) => (
      <div key={status}>
        <dt>{status}</dt>
        <dd>
          {names.map((name, at) => (
            <>
              {at > 0 && ', '}
              <a href={addressOf(errorPlace(name))}>
                <code>{REFUSALS[name].code ?? name.toLowerCase()}</code>
              </a>
            </>
          ))}
        </dd>
      </div>
    ))}
  </>
);

const Answers = ({ e }: { readonly e: Endpoint }) => {
  const file = fileOf(e);
  const reply = plain(e.reply);
  const type = file === null ? typeOf(reply) : `\`${file.mediaType}\``;
  return (
    <>
      <h4>Answers</h4>
      <dl class="rows">
        <Row name={String(e.status)} facts={[type]} text={cacheText(e.cache)} />
        <Refusals e={e} />
      </dl>
      {namedBy(reply) === null && <Fields schema={reply} />}
    </>
  );
};

const Body = ({ e }: { readonly e: Endpoint }) => {
  if (e.body === undefined) return null;
  const body = plain(e.body);
  return (
    <>
      <h4>Body</h4>
      {namedBy(body) === null ? (
        <Fields schema={body} />
      ) : (
        <p>
          <Inline text={typeOf(body)} />
        </p>
      )}
    </>
  );
};

/** Scrolls by itself, by keyboard too. */
const Code = ({ children, label }: { readonly children: ComponentChildren; readonly label: string }) => (
  <pre dir="ltr" tabIndex={0} role="region" aria-label={label}>
    <code>{children}</code>
  </pre>
);

interface CommandProps {
  readonly line: string;
  readonly label: string;
  readonly children?: ComponentChildren;
}

/** A command line, to copy and, with `children`, to try. */
export const Command = ({ line, label, children }: CommandProps) => {
  const t = useMessages(docs);
  const { language } = useReader();
  return (
    <div class="command">
      <Code label={label}>{line}</Code>
      <p class="actions">
        {children}
        <button type="button" class="copy" lang={language} data-copied={t.copied}>
          {t.copy}
        </button>
      </p>
    </div>
  );
};

const Examples = ({ e }: { readonly e: Endpoint }) => (
  <>
    {Object.entries(e.examples).map(([name, { body, reply }]) => (
      <details key={name}>
        <summary>Example: {name}</summary>
        {body !== undefined && <Code label={`Body, ${name}`}>{JSON.stringify(body, null, 1)}</Code>}
        <Code label={`Answer, ${name}`}>
          {fileOf(e) === null ? JSON.stringify(reply, null, 1) : String(reply)}
        </Code>
      </details>
    ))}
  </>
);

export interface SampleProps {
  readonly baseUrl: string;
  readonly samples: Samples;
}

/** Without script it opens the answer. */
export const TryLink = ({ e, samples }: { readonly e: Endpoint; readonly samples: Samples }) => {
  const t = useMessages(docs);
  const { language } = useReader();
  return (
    <a class="button quiet" lang={language} href={requestLine(trialOf(e, samples)).address} data-try={e.id}>
      {t.tryIt}
      <span class="visually-hidden"> GET {e.path}</span>
    </a>
  );
};

const Operation = ({ e, baseUrl, samples }: SampleProps & { readonly e: Endpoint }) => (
  <article aria-labelledby={placeOf(e)}>
    <h3 id={placeOf(e)}>
      <a href={`#${placeOf(e)}`}>
        <span class="method">{e.method}</span> <code>{e.path}</code>
      </a>
    </h3>
    <p>
      <code>{e.id}</code>. <Inline text={`${e.summary}.`} />
      {e.description !== undefined && <Inline text={` ${e.description}`} />}
    </p>
    <Command line={commandFor(baseUrl, e, samples)} label={`Command of ${e.id}`}>
      {isTried(e) && <TryLink e={e} samples={samples} />}
    </Command>
    <Parameters e={e} />
    <Body e={e} />
    <Answers e={e} />
    <Examples e={e} />
  </article>
);

export const tagsOf = (table: readonly Endpoint[]): readonly string[] => [
  ...new Set(table.map(({ tag }) => tag)),
];

export const Operations = ({ table, ...sent }: SampleProps & { readonly table: readonly Endpoint[] }) => (
  <>
    {tagsOf(table).map((tag) => (
      <section key={tag} aria-labelledby={anchorOf(tag)}>
        <h2 id={anchorOf(tag)}>{tag}</h2>
        {TAGS[tag] !== undefined && <p>{TAGS[tag]}</p>}
        {table
          .filter((e) => e.tag === tag)
          .map((e) => (
            <Operation key={e.id} e={e} {...sent} />
          ))}
      </section>
    ))}
  </>
);

export const AnswerHeaders = () => (
  <section aria-labelledby="headers">
    <h2 id="headers">Headers of answers</h2>
    <dl class="rows">
      {Object.values(ANSWER_HEADERS).map(({ line, description, example }) => (
        <Row key={line} name={`\`${line}\``} facts={[`\`${String(example)}\``]} text={description} />
      ))}
    </dl>
  </section>
);

export const Errors = ({ names }: { readonly names: readonly RefusalName[] }) => (
  <section aria-labelledby="errors">
    <h2 id="errors">Errors by status</h2>
    <p>
      Every error is one JSON body, <a href={addressOf('errorbody')}>ErrorBody</a>: <code>error</code> always,{' '}
      <code>code</code> where the status does not suffice, <code>vars</code> with the figures. Send{' '}
      <code>Accept-Language: ar</code> for Arabic. Those without a code are listed here by a name in small
      letters.
    </p>
    <dl class="rows errors">
      {names.map((name) => {
        const { status, code, when, en, ar } = REFUSALS[name];
        return (
          <div key={name} id={errorPlace(name)}>
            <dt>
              {status} <code>{code ?? name.toLowerCase()}</code>
            </dt>
            <dd>
              <Inline text={when} />
              <q>{en}</q>
              <q lang="ar" dir="rtl">
                {ar}
              </q>
            </dd>
          </div>
        );
      })}
    </dl>
  </section>
);

export const Shapes = ({ shapes }: { readonly shapes: ReturnType<typeof shapesOn> }) => (
  <section aria-labelledby="shapes">
    <h2 id="shapes">Shapes</h2>
    {shapes.map(([name, schema]) => (
      <section key={name} aria-labelledby={shapePlace(name)}>
        <h3 id={shapePlace(name)}>{name}</h3>
        <Fields schema={plain(schema)} />
      </section>
    ))}
  </section>
);
