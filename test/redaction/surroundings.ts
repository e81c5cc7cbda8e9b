// Six surroundings in which a named secret stands, each written in several ways.

/** A name as each place writes it. */
interface Names {
  readonly upper: string;
  readonly dashed: string;
  readonly snake: string;
  readonly camel: string;
  readonly words: string;
}

export const SURROUNDINGS: Readonly<Record<string, readonly ((name: Names, value: string) => string)[]>> = {
  'environment file': [
    ({ upper }, value) => `# settings\nPORT=8080\n${upper}=${value}\nDEBUG=0`,
    ({ upper }, value) => `export ${upper}="${value}"`,
    ({ upper }, value) => `MY_${upper}='${value}'`,
    ({ upper }, value) => `$env:${upper} = "${value}"`,
  ],
  'command line': [
    ({ dashed }, value) => `deploy --env production --${dashed} ${value} --verbose`,
    ({ dashed }, value) => `deploy --${dashed}=${value}`,
    ({ upper }, value) => `${upper}=${value} npm run deploy`,
    ({ upper }, value) => `docker run -e ${upper}='${value}' app:latest`,
    ({ dashed }, value) => `app --${dashed} "${value}"`,
  ],
  'JSON in JSON': [
    ({ snake }, value) => JSON.stringify({ arguments: JSON.stringify({ user: 'dev', [snake]: value }) }),
    ({ camel }, value) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ [camel]: value, next: 1 }) }) }),
    ({ camel }, value) => JSON.stringify(JSON.stringify({ [camel]: value }, null, 2)),
    ({ upper }, value) => JSON.stringify({ env: [{ name: upper, value }] }),
  ],
  'YAML or ini': [
    ({ snake }, value) => `service:\n  host: example.com\n  ${snake}: ${value}\n  port: 1`,
    ({ snake }, value) => `[service]\nuser = dev\n${snake} = ${value}\n`,
    ({ camel }, value) => `  ${camel}: "${value}"`,
    ({ snake }, value) => `${snake}: |\n  ${value}\nnext: 1`,
    ({ upper }, value) => `env:\n  - name: ${upper}\n    value: ${value}`,
  ],
  'HTTP header or cookie': [
    ({ dashed }, value) => `GET / HTTP/1.1\nHost: example.com\nX-${dashed}: ${value}\nAccept: */*`,
    (_name, value) => `Authorization: Bearer ${value}`,
    (_name, value) => `Cookie: theme=dark; session=${value}; lang=en`,
    (_name, value) => `curl -H "Authorization: Token ${value}" https://api.example.com/v1`,
    ({ dashed }, value) => `curl -H 'X-${dashed}: ${value}' https://api.example.com/v1`,
  ],
  prose: [
    ({ words }, value) => `Done. The ${words} is ${value}, so the deployment can go on.`,
    ({ words }, value) => `Use the ${words} \`${value}\` for this.`,
    ({ words }, value) => `I found a ${words}: ${value}. Please rotate it.`,
    ({ words }, value) => `I set the ${words} to "${value}" and ran it again.`,
  ],
};

/** A name in words, as each place writes it. */
export function namesOf(words: string): Names {
  const parts = words.split(' ');
  const camel = parts.map((part, i) => (i === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join('');
  return { upper: parts.join('_').toUpperCase(), dashed: parts.join('-'), snake: parts.join('_'), camel, words };
}
