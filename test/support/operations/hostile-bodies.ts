/**
 * Arbitraries of hostile request bodies: mutations of a valid body, and extreme values that its schema allows. They are
 * JSON text, because much hostile JSON (`1e400`, duplicate keys) is no JavaScript value.
 */
import fc from 'fast-check';

class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Raw);

/** The JSON text of a value with raw parts; own fields include `__proto__`. */
export const jsonText = (value: unknown): string => {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (value === undefined) return 'null';
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${jsonText(inner)}`).join(',')}}`;
};

const nested = (levels: number, open: string, close: string): Raw =>
  new Raw(`${open.repeat(levels)}1${close.repeat(levels)}`);

/** Invalid instants, and valid ones at the edge of the format. */
const MOMENTS = [
  '2026-12-31T23:59:60Z',
  '2026-12-31T23:59:60.999+00:00',
  '2027-02-29T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00-23:59',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999-23:59',
  '2026-11-21t03:00:00z',
  '2026-11-21 03:00:00Z',
  '2026-11-21T03:00:00+02:00',
  '2026-11-21T03:00:00.123456789Z',
  '2026-11-21T03:00:00',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00Z',
  'infinity',
  'now',
];

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\ufeff',
  '\u202e\u2066gnirts',
  '\r\nSet-Cookie: a=b',
  "'; drop table delivery_order; --",
  '%s%n{0}${x}{{x}}',
  '<script>alert(1)</script>',
  'ﷺ'.repeat(40),
  'e\u0301'.repeat(60),
  '👩‍👩‍👧‍👦'.repeat(20),
  'true',
  'null',
  '{}',
  '-1',
  '٠١٠٠١٢٣٤٥٦٧',
  '+20 100 123 4567',
  '0020 1001234567',
  '+447911123456',
  'x'.repeat(121),
  'x'.repeat(501),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  ...MOMENTS,
];

const NUMBERS: readonly unknown[] = [
  0,
  1,
  -1,
  0.1,
  1.5,
  99,
  100,
  999,
  1_000,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  9_007_199_254_740_993,
  new Raw('-0'),
  new Raw('1.0'),
  new Raw('1e0'),
  new Raw('1e400'),
  new Raw('-1e400'),
  new Raw('1e-400'),
  new Raw('123456789012345678901234567890'),
  new Raw('0.30000000000000000000000001'),
];

/** Made once: fast-check maps every code point for each such arbitrary. */
const anyText = fc.string({ unit: 'binary', maxLength: 20 });

/** Any JSON value, whatever the field; `ids` name existing things. */
const anything = (ids: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<unknown>(...TEXTS) },
    { weight: 2, arbitrary: anyText },
    { weight: 4, arbitrary: fc.constantFrom(...NUMBERS) },
    { weight: 3, arbitrary: idIn(ids) },
    {
      weight: 3,
      arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], { length: 2 }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(
        nested(20, '[', ']'),
        nested(33, '[', ']'),
        nested(5_000, '[', ']'),
        nested(33, '{"a":', '}'),
        new Raw('{"a":1,"a":2}'),
        new Raw('{"__proto__":{"isAdmin":true}}'),
        { constructor: { prototype: {} } },
        Array.from({ length: 101 }, () => ({})),
      ),
    },
  );

const idIn = (ids: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids) },
    { weight: 2, arbitrary: fc.constantFrom(...ids).map((id) => id.toUpperCase()) },
    { weight: 1, arbitrary: fc.uuid() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '00000000-0000-0000-0000-000000000000',
        'ffffffff-ffff-ffff-ffff-ffffffffffff',
        'urn:uuid:3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10',
        '{3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10}',
        '3f0a4d0e58a45a559a0c1f2f6f1d7b10',
      ),
    },
  );

// ── Values of a schema ────────────────────────────────────────────────────────────────

/** The subset of JSON Schema that request bodies use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const fittingText = ({ format, maxLength = 200 }: Schema, ids: readonly string[]): fc.Arbitrary<string> => {
  if (format === 'uuid') return idIn(ids);
  if (format === 'date-time') return fc.constantFrom(...MOMENTS);
  return fc.oneof(
    fc.constantFrom(...TEXTS.filter((text) => text.length <= maxLength)),
    fc.constant('ه'.repeat(maxLength)),
    fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 30) }),
  );
};

const fittingNumber = ({ type, minimum = -1e308, maximum = 1e308 }: Schema): fc.Arbitrary<unknown> => {
  const whole = [type].flat().includes('integer');
  const close = [minimum, minimum + 1, 1, 2, 5, 10, 100, 4_500, maximum - 1, maximum];
  const odd = whole ? [new Raw('1.0'), new Raw('1e1')] : [0.1, -0.5, 30.0626, 5e-324, new Raw('-0.0')];
  return fc.constantFrom<unknown>(...close.filter((value) => value >= minimum && value <= maximum), ...odd);
};

export const schemaValues = (schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> => {
  const types = [schema.type ?? []].flat();
  const [type] = types;
  const plain = (): fc.Arbitrary<unknown> => {
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (type === 'string') return fittingText(schema, ids);
    if (type === 'integer' || type === 'number') return fittingNumber(schema);
    if (type === 'boolean') return fc.boolean();
    if (type === 'array')
      return fc.array(schemaValues(schema.items ?? {}, ids), {
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    if (type === 'object' && schema.properties !== undefined) return fittingObject(schema, ids);
    return type === 'object' ? fc.constant({}) : anything(ids);
  };
  if (!types.includes('null')) return plain();
  return fc.oneof({ weight: 3, arbitrary: plain() }, { weight: 1, arbitrary: fc.constant(null) });
};

const fittingObject = ({ properties = {}, required }: Schema, ids: readonly string[]): fc.Arbitrary<Json> =>
  fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, schemaValues(inner, ids)])),
    required === undefined ? {} : { requiredKeys: [...required] },
  );

// ── Mutations of a body ───────────────────────────────────────────────────────────────────

type Path = readonly (string | number)[];

const childrenOf = (value: unknown): readonly (readonly [string | number, unknown])[] => {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
};

/** Every path in a value; the root is first. */
const placesIn = (value: unknown, path: Path = []): readonly Path[] => [
  path,
  ...childrenOf(value).flatMap(([name, inner]) => placesIn(inner, [...path, name])),
];

/** The value changed at a path; undefined removes it. */
const changedAt = (value: unknown, [first, ...rest]: Path, change: (old: unknown) => unknown): unknown => {
  if (first === undefined) return change(value);
  const inner = childrenOf(value).map(
    ([name, old]) => [name, name === first ? changedAt(old, rest, change) : old] as const,
  );
  const left = inner.filter(([, one]) => one !== undefined);
  return Array.isArray(value) ? left.map(([, one]) => one) : Object.fromEntries(left);
};

const withField = (value: unknown, name: string, added: unknown): unknown =>
  isObject(value) ? Object.fromEntries([...Object.entries(value), [name, added]]) : [value, added];

/** One mutation at one path, counted modulo the paths of the body. */
type Mistake = readonly [place: number, change: (old: unknown) => unknown];

const mistake = (ids: readonly string[]): fc.Arbitrary<Mistake> =>
  fc.tuple(
    fc.nat(),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(() => undefined) },
      { weight: 6, arbitrary: anything(ids).map((value) => () => value) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(
            fc.constantFrom(
              'colour',
              '__proto__',
              'constructor',
              'toString',
              '',
              'a.b',
              '\u0000',
              'id',
              'org_id',
            ),
            anything(ids),
          )
          .map(
            ([name, value]) =>
              (old: unknown) =>
                withField(old, name, value),
          ),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom<(old: unknown) => unknown>(
          (old) => [old],
          (old) => ({ 0: old }),
          (old) => (typeof old === 'string' ? old.toUpperCase() : String(old)),
          (old) => (Array.isArray(old) ? Array.from({ length: 101 }, () => old[0] as unknown) : old),
          (old) => (Array.isArray(old) ? [...(old as unknown[]), ...(old as unknown[])] : old),
          (old) => new Raw(jsonText(jsonText(old))),
        ),
      },
    ),
  );

const withMistakes = (body: unknown, mistakes: readonly Mistake[]): unknown =>
  mistakes.reduce((value, [place, change]) => {
    const places = placesIn(value);
    return changedAt(value, places[place % places.length] ?? [], change);
  }, body);

const mangled: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 12, arbitrary: fc.constant((text: string) => text) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<(text: string) => string>(
      () => '',
      () => 'null',
      () => '[]',
      () => '"text"',
      () => '{"a":',
      (text) => text.slice(0, -1),
      (text) => `\ufeff${text}`,
      (text) => `${text}${text}`,
      (text) => text.replace('{', '{"a":1,'),
      (text) => text.replaceAll('"', "'"),
      (text) => ` \n${text}\t `,
    ),
  },
);

export interface HostileBody {
  readonly from: (body: unknown) => string;
}

/** Up to three fields replaced; the rest stays valid, so that the body passes validation. */
const fewFitting = (schema: Schema, ids: readonly string[]): fc.Arbitrary<Json> => {
  const fields = Object.entries(schema.properties ?? {});
  return fc
    .shuffledSubarray(fields, { minLength: Math.min(1, fields.length) })
    .chain((chosen) => fittingObject({ properties: Object.fromEntries(chosen.slice(0, 3)) }, ids));
};

/** Mutated, schema-made and unchanged bodies of an operation. */
export const hostileBody = (schema: Schema, ids: readonly string[]): fc.Arbitrary<HostileBody> => {
  const mistaken = fc
    .array(mistake(ids), { maxLength: 3 })
    .map((mistakes) => (body: unknown) => withMistakes(body, mistakes));
  const made = fc.oneof(
    { weight: 1, arbitrary: schemaValues(schema, ids).map((value) => () => value) },
    {
      weight: 4,
      arbitrary: fewFitting(schema, ids).map((few) => (body: unknown) => ({ ...(body as Json), ...few })),
    },
  );
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: mistaken }, { weight: 2, arbitrary: made }), mangled)
    .map(([change, mangle]) => ({ from: (body) => mangle(jsonText(change(body))) }));
};
