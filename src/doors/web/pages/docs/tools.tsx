/** The tools of AI assistants, in English. */
import type { Tool } from '../../../../platform/contract/tool.ts';
import { exampleArguments, messageCommand } from '../../../../service/contract/tool-reference.ts';
import { plain } from '../../../../service/contract/shapes.ts';
import { PROTOCOL_VERSIONS } from '../../../../service/contract/tools.ts';
import { ALL_TOOLS, toolPlace } from './pages.ts';
import { Command, Fields, Inline } from './reference.tsx';

const Arguments = ({ tool }: { readonly tool: Tool }) => {
  const args = Object.entries(tool.args);
  if (args.length === 0) return <p>Takes no arguments.</p>;
  return (
    <dl class="rows">
      {args.map(([name, { scalar, required, description }]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <span class="facts">
              {[required ? 'required' : '', scalar.expected.en].filter(Boolean).join(' · ')}
            </span>{' '}
            {description}
          </dd>
        </div>
      ))}
    </dl>
  );
};

const ToolEntry = ({ tool, baseUrl }: { readonly tool: Tool; readonly baseUrl: string }) => (
  <article aria-labelledby={toolPlace(tool)}>
    <h3 id={toolPlace(tool)}>
      <a href={`#${toolPlace(tool)}`}>
        <code>{tool.name}</code>
      </a>
    </h3>
    <p>
      <Inline text={`${tool.title}. ${tool.description}`} />
    </p>
    <Command
      line={messageCommand(baseUrl, 'tools/call', { name: tool.name, arguments: exampleArguments(tool) })}
      label={`Command of ${tool.name}`}
    />
    <h4>Arguments</h4>
    <Arguments tool={tool} />
    <h4>Result</h4>
    <Fields schema={plain(tool.result)} />
  </article>
);

export const Tools = ({ baseUrl }: { readonly baseUrl: string }) => (
  <section aria-labelledby="tool-server">
    <h2 id="tool-server">Tool server of AI assistants</h2>
    <p>
      The reads of this API as tools, over the Model Context Protocol: <code>POST {baseUrl}/mcp</code>,
      Streamable HTTP without a session, versions {PROTOCOL_VERSIONS.join(', ')}. There is no account and no
      key. Nothing is ordered, booked or changed here. The guide for assistants is{' '}
      <a href="/llms.txt">/llms.txt</a>.
    </p>
    <Command line={messageCommand(baseUrl, 'tools/list')} label="Command that lists the tools" />
    {ALL_TOOLS.map((tool) => (
      <ToolEntry key={tool.name} tool={tool} baseUrl={baseUrl} />
    ))}
  </section>
);
