/** /llms.txt: what an assistant that comes by itself should know, in the form of that convention (Decisions 14). */
import type { App } from '../../platform/app/app.ts';
import { SERVICE_DESCRIPTION } from '../../service/app/about.ts';
import { anchorOf } from '../../service/contract/blocks.ts';
import type { Endpoint, QueryParameter } from '../../platform/contract/endpoint.ts';
import { endpoints } from '../../service/contract/index.ts';
import { PROTOCOL_VERSIONS, tools, type Tool } from '../../service/contract/tools.ts';
import { plainText } from './say.ts';

/** A document that llms.txt leads to, by its address below the service's. */
export interface LinkedDocument {
  readonly title: string;
  readonly path: string;
  readonly note: string;
}

const link = (baseUrl: string, { title, path, note }: LinkedDocument): string =>
  `- [${title}](${baseUrl}${path}): ${note}`;

/** The signature of a tool and what it is for: `get_menu(shop, branch_id?)`. */
const toolText = ({ name, title, description, args }: Tool): string => {
  const taken = Object.entries(args).map(([arg, { required }]) => (required ? arg : `${arg}?`));
  return `\`${name}(${taken.join(', ')})\`: ${title}. ${description}`;
};

/** The address as a template of RFC 6570, with every parameter. */
const templateOf = (baseUrl: string, { path, query }: Endpoint): string => {
  const names = Object.keys(query);
  return `${baseUrl}${path}${names.length === 0 ? '' : `{?${names.join(',')}}`}`;
};

const parameterText = ([name, { scalar, required, description }]: [string, QueryParameter]): string =>
  `\`${name}\` (${scalar.expected}${required ? '; required' : ''}): ${description}`;

/** A read of the API, linked to where the reference tells of it. */
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

/** What is true of the JSON API and not of the tools, which give words and amounts of EGP. */
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
  const reads = Object.values<Endpoint>(endpoints).filter(isPublicRead);
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
    reads.map((read) => readLine(baseUrl, read)).join('\n'),
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join('\n');
};
