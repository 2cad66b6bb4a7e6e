/** What holds for every operation, in English, and the index of the reference. */
import { REFUSALS } from '../../../../kernel/refusal.ts';
import { BODY_LIMIT } from '../../../../platform/contract/body-limits.ts';
import { AUDIENCES } from '../../../../service/contract/audiences.ts';
import { anchorOf } from '../../../../service/contract/document-blocks.ts';
import {
  ALL_TOOLS,
  addressOf,
  errorPlace,
  placeOf,
  REFERENCE_PAGES,
  REFUSAL_NAMES,
  shapePlace,
  shapesOn,
  toolPlace,
} from './pages.ts';
import { AnswerHeaders, Inline, tagsOf } from './reference.tsx';

interface Section {
  readonly place: string;
  readonly title: string;
  readonly text: readonly string[];
}

const sectionsFor = (baseUrl: string): readonly Section[] => [
  {
    ...{ place: 'base-address', title: 'Base address and formats' },
    text: [
      `Every path here is below \`${baseUrl}\`. Answers are JSON in UTF-8, unless an operation names another type. ` +
        `Bodies are sent as \`application/json\`, uncompressed, with at most ${BODY_LIMIT / 1024} KiB unless an ` +
        'operation allows more. Ids are UUIDs; a shop is also found by its address name (`slug`).',
      'Fields may be added to answers: ignore those you do not know. A field that a body does not have is refused by name.',
    ],
  },
  {
    ...{ place: 'money', title: 'Money' },
    text: [
      'An amount is an integer number of piastres: `4500` is 45.00 EGP. Rates are fractions: `0.14` is 14 %.',
    ],
  },
  {
    ...{ place: 'times-and-dates', title: 'Times' },
    text: [
      'A moment is ISO 8601 in UTC, such as `2026-12-04T17:00:00.000Z`. A date (`2026-12-04`) is one of the ' +
        "branch's calendar; answers with dates name its time zone.",
    ],
  },
  {
    ...{ place: 'tokens', title: 'Tokens' },
    text: [
      'The public API has no account and no key. A one-time code proves a phone and gives a device token, which is ' +
        'sent in the field `device_token` of a body, else in the header `X-Device-Token`, never in an address. ' +
        'Staff and paired devices send `Authorization: Bearer` and their token.',
    ],
  },
  {
    ...{ place: 'repeating', title: 'Repeating a request' },
    text: [
      'Send a write with an `Idempotency-Key` of your own where the operation takes one: the same key and body are ' +
        'done once, and a repetition is answered with 200 and what was made.',
    ],
  },
  {
    ...{ place: 'errors', title: 'Errors' },
    text: [
      'Every status from 400 on has the body [ErrorBody](#errorbody): `error` always, `code` where the status does not ' +
        'suffice, `vars` with the figures. Decide by `code`, and show `error` to people: with ' +
        '`Accept-Language: ar` it is Arabic.',
      'A channel that is closed is refused with `CHANNEL_CLOSED`, and `vars.opens_at` says when it opens; its menu can ' +
        'be read all the same with `preview=true`.',
    ],
  },
  {
    ...{ place: 'limits', title: 'Limits' },
    text: [
      '`RateLimit-Policy` of every limited answer names the limits that it counts in, `RateLimit` what is left of each. ' +
        'Beyond them the answer is 429 `RATE_LIMITED`: wait as long as `Retry-After` says.',
    ],
  },
  {
    ...{ place: 'caching', title: 'Caching' },
    text: [
      'Keep an answer as long as its `Cache-Control` says, then ask again with its `ETag` in `If-None-Match`: ' +
        '304 means that it still holds.',
    ],
  },
];

/** Without the three first requests, which are in the language of the reader. */
export const Guide = ({ baseUrl }: { readonly baseUrl: string }) => (
  <>
    <p>
      <Inline text={AUDIENCES.public.introduction} />
    </p>
    {sectionsFor(baseUrl).map(({ place, title, text }) => (
      <section key={place} aria-labelledby={place}>
        <h2 id={place}>{title}</h2>
        {text.map((words) => (
          <p key={words}>
            <Inline text={words} />
          </p>
        ))}
      </section>
    ))}
    <AnswerHeaders />
  </>
);

interface Entry {
  readonly place: string;
  readonly label: string;
}

/** Places have the names that they had when the reference was one page, so that old links lead on from here. */
const Entries = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <ul class="entries">
    {entries.map(({ place, label }) => (
      <li key={place} id={place}>
        <a href={addressOf(place)}>
          <code>{label}</code>
        </a>
      </li>
    ))}
  </ul>
);

const pages = REFERENCE_PAGES.filter(({ audience }) => audience === 'public');

export const Index = () => (
  <section aria-labelledby="operations">
    <h2 id="operations">All operations</h2>
    {pages.flatMap(({ operations }) =>
      tagsOf(operations).map((tag) => (
        <section key={tag} aria-labelledby={anchorOf(tag)}>
          <h3 id={anchorOf(tag)}>{tag}</h3>
          <Entries
            entries={operations
              .filter((e) => e.tag === tag)
              .map((e) => ({ place: placeOf(e), label: `${e.method} ${e.path}` }))}
          />
        </section>
      )),
    )}
    <h3 id="tool-server">Tool server of AI assistants</h3>
    <Entries entries={ALL_TOOLS.map((tool) => ({ place: toolPlace(tool), label: tool.name }))} />
    <h3 id="shapes">Shapes</h3>
    <Entries
      entries={pages.flatMap((page) =>
        shapesOn(page.name).map(([name]) => ({ place: shapePlace(name), label: name })),
      )}
    />
    <h3 id="codes-of-errors">Codes of errors</h3>
    <Entries
      entries={REFUSAL_NAMES.map((name) => ({
        ...{ place: errorPlace(name), label: REFUSALS[name].code ?? name.toLowerCase() },
      }))}
    />
  </section>
);
