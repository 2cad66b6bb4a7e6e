/** (Decisions 14) */
import type { App } from '../../platform/app/app.ts';
import { SERVICE_DESCRIPTION } from '../../service/app/about.ts';
import { anchorOf } from '../../service/contract/document-blocks.ts';
import type { Endpoint, QueryParameter } from '../../platform/contract/endpoint.ts';
import { endpoints } from '../../service/contract/endpoints.ts';
import type { Tool } from '../../platform/contract/tool.ts';
import { PROTOCOL_VERSIONS, tools } from '../../service/contract/tools.ts';
import { plainText } from './text.ts';

/** `path` is below the service's URL. */
export interface LinkedDocument {
  readonly title: string;
  readonly path: string;
  readonly note: string;
}

const link = (baseUrl: string, { title, path, note }: LinkedDocument): string =>
  `- [${title}](${baseUrl}${path}): ${note}`;

/** Signature and purpose: `get_menu(shop, branch_id?)`. */
const toolText = ({ name, title, description, args }: Tool): string => {
  const taken = Object.entries(args).map(([arg, { required }]) => (required ? arg : `${arg}?`));
  return `\`${name}(${taken.join(', ')})\`: ${title}. ${description}`;
};

/** URI template (RFC 6570) with every query parameter. */
const templateOf = (baseUrl: string, { path, query }: Endpoint): string => {
  const names = Object.keys(query);
  return `${baseUrl}${path}${names.length === 0 ? '' : `{?${names.join(',')}}`}`;
};

const parameterText = ([name, { scalar, required, description }]: [string, QueryParameter]): string =>
  `\`${name}\` (${scalar.expected.en}${required ? '; required' : ''}): ${description}`;

const readLine = (baseUrl: string, read: Endpoint): string => {
  const title = `${read.method} ${read.path}`;
  const note = [
    `${read.summary}.`,
    ...(read.description === undefined ? [] : [read.description]),
    `Address: \`${templateOf(baseUrl, read)}\`.`,
    ...Object.entries(read.query).map(parameterText),
  ];
  return link(baseUrl, { title, path: `/docs#${anchorOf(title)}`, note: note.join(' ') });
};

const isPublicRead = ({ method, path }: Endpoint): boolean => method === 'GET' && path.startsWith('/public/');

const API_CONVENTIONS = [
  'Money is a whole number of piastres (100 = 1.00 EGP), where the tools give EGP. Times are ISO 8601 in UTC; a booking ' +
    'answer names its time zone.',
  'Every call names one shop, or something of one shop, by what a person gave: nothing here is to be crawled.',
  'Keep an answer for as long as its `Cache-Control` says and ask again with `If-None-Match`. Requests are limited by ' +
    'client address: after a 429 wait as `Retry-After` says.',
  'Fields may be added: ignore those you do not know.',
];

const listed = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

export interface Guide {
  readonly app: App;
  readonly instructions: string;
  readonly documents: readonly LinkedDocument[];
}

export const llmsText = ({ app: { baseUrl, service }, instructions, documents }: Guide): string => {
  const operations = Object.values<Endpoint>(endpoints).filter(isPublicRead);
  return [
    `# ${plainText(service.name)}`,
    `> ${SERVICE_DESCRIPTION} For everyone to read, without an account: as tools for assistants and as a JSON API.`,
    `The tool server is at \`${baseUrl}/mcp\`: Model Context Protocol over Streamable HTTP (POST alone, no session), ` +
      `versions ${PROTOCOL_VERSIONS.join(', ')}. Its tools:`,
    listed(Object.values<Tool>(tools).map(toolText)),
    'How to use them:',
    listed(instructions.split('\n')),
    'Of the JSON API besides:',
    listed(API_CONVENTIONS),
    `Questions: ${plainText(service.contact)}`,
    '## Documents',
    documents.map((document) => link(baseUrl, document)).join('\n'),
    '## Reads of the JSON API',
    operations.map((read) => readLine(baseUrl, read)).join('\n'),
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join('\n');
};
