// `npm run audit`: whether a package that the program runs on has a known vulnerability, high or critical.
import { say, Stop } from './checkout.mjs';
import { askNpm } from './npm.mjs';

/** What a registry answers that has no such service, as mirrors often do. */
const NO_SERVICE = [404, 405, 501];
const GRAVE = ['high', 'critical'];

const titleOf = ({ via }) =>
  via.flatMap((cause) => (typeof cause === 'object' ? [cause.title] : [])).join('; ');

/** Findings as lines; throws Stop where there was no answer to judge. */
const graveIn = ({ auditReportVersion, vulnerabilities, error }) => {
  if (auditReportVersion !== 2 || typeof vulnerabilities !== 'object')
    throw new Stop(`the registry gave no report: ${error?.summary || 'its answer is of another form'}`);
  return Object.values(vulnerabilities)
    .filter(({ severity }) => GRAVE.includes(severity))
    .map((found) => `${found.severity}: ${found.name} ${found.range} ${titleOf(found)}`.trim());
};

/** Resolves with the exit code. A registry without the service is no finding, and is said. */
export const audit = async () => {
  const answer = await askNpm('audit', '--omit=dev');
  if (NO_SERVICE.includes(answer.statusCode)) {
    say(`NOT CHECKED: this registry has no audit service (${answer.statusCode} for ${answer.uri})`);
    return 0;
  }
  if (answer.statusCode !== undefined)
    throw new Stop(`the registry did not answer the audit: ${answer.message ?? answer.statusCode}`);
  const findings = graveIn(answer);
  if (findings.length > 0)
    throw new Stop(`packages with known vulnerabilities:\n${findings.map((line) => `  ${line}`).join('\n')}`);
  say('no package that the program runs on has a known vulnerability that is high or critical');
  return 0;
};
