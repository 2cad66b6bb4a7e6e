/** Data inside a page. Text of shops and guests is inert in it. */

/** `<`, `>` and `&` cannot end the block, U+2028 cannot end a line of a script. */
const json = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

interface DataBlockProps {
  readonly type: string;
  readonly id?: string;
  readonly data: unknown;
}

export const DataBlock = ({ data, ...attributes }: DataBlockProps) => (
  <script {...attributes} dangerouslySetInnerHTML={{ __html: json(data) }} />
);

/** For search engines (schema.org). */
export const StructuredData = ({ data }: { readonly data: object }) => (
  <DataBlock type="application/ld+json" data={{ '@context': 'https://schema.org', ...data }} />
);
