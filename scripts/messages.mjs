// The catalogues of the pages' messages, compiled: ICU MessageFormat, Arabic beside English, in src/doors/web/messages.
import MessageFormat from '@messageformat/core';
import compileModule from '@messageformat/core/compile-module.js';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';

const LANGUAGES = ['ar', 'en'];

/** The arguments that the compiled function reads: a plural's are numbers, others text. */
const typeOf = (source) => {
  const names = [...new Set([...source.matchAll(/\bd\.(\w+)/g)].map(([, name]) => name))];
  const numbers = new Set([...source.matchAll(/plural\(d\.(\w+)/g)].map(([, name]) => name));
  return `{ ${names.map((name) => `readonly ${name}: ${numbers.has(name) ? 'number' : 'string'}`).join('; ')} }`;
};

/** A message without arguments is text, any other a function. */
const memberOf = (line) => {
  const [, key, parameters, body] = /^\s*(\w+): \((d?)\) => (.*?),?$/s.exec(line) ?? [];
  if (key === undefined) throw new Error(`this message cannot be compiled: ${line}`);
  if (parameters === '') return `${key}: ${body}`;
  // The runtime's functions return `unknown` in its types.
  const text = /^(plural|select)\(/.test(body) ? `String(${body})` : body;
  return `${key}: (d: ${typeOf(body)}): string => ${text}`;
};

const bodyOf = (language, catalogue) => {
  const texts = Object.fromEntries(Object.entries(catalogue).map(([key, text]) => [key, text[language]]));
  const compiled = compileModule(new MessageFormat(language, { strict: true }), texts);
  const inside = /export default \{\n([\s\S]*)\n\}/.exec(compiled)?.[1] ?? '';
  return {
    compiled,
    body: inside
      .split(/\n(?= {2}\w+: \()/)
      .map(memberOf)
      .join(',\n'),
  };
};

const compileCatalogue = async (name, catalogue, options) => {
  const bodies = LANGUAGES.map((language) => ({ language, ...bodyOf(language, catalogue) }));
  const whole = bodies.map(({ compiled }) => compiled).join('\n');
  const runtime = ['plural', 'select'].filter((word) => new RegExp(`\\b${word}\\(`).test(whole));
  const cardinals = runtime.includes('plural') ? LANGUAGES : [];
  const source = [
    `/** Written by \`npm run messages\` from ../${name}.ts. */`,
    cardinals.length === 0
      ? ''
      : `import { ${cardinals.join(', ')} } from '@messageformat/runtime/lib/cardinals';`,
    runtime.length === 0 ? '' : `import { ${runtime.join(', ')} } from '@messageformat/runtime';`,
    '',
    `export const ${name} = {`,
    ...bodies.map(({ language, body }) => `${language}: {\n${body}\n},`),
    '} as const;',
  ];
  return format(source.filter((line, at) => line !== '' || at === 3).join('\n'), {
    ...options,
    parser: 'typescript',
  });
};

/** The compiled module of each catalogue in `folder`, by path. */
export const compileMessages = async (folder) => {
  const options = await resolveConfig(join(folder, 'x.ts'));
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const name = basename(file, '.ts');
        const module = await import(pathToFileURL(join(folder, file)).href);
        return [join(folder, 'compiled', file), await compileCatalogue(name, module.default, options)];
      }),
    ),
  );
};

/** Writes what has changed. */
export const writeMessages = async (folder) => {
  mkdirSync(join(folder, 'compiled'), { recursive: true });
  for (const [path, text] of await compileMessages(folder))
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
};
