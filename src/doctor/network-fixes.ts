import type { DoctorContext } from './context.ts';

const certificate =
  'Somebody unknown answers in the service’s place. In a company that looks into TLS, set NODE_EXTRA_CA_CERTS to the file of its certificate; anywhere else do not go on, and check the base URL and the network.';

/** By the code of the network's error. */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND/, 'Check the spelling of HOST in the base URL, and whether this machine finds other names.'],
  [/EAI_AGAIN/, 'The network has no name service now: check the connection of this machine.'],
  [/ECONNREFUSED/, 'Nothing listens there: check the host and the port of the base URL, and whether the service runs.'],
  [/EPROTO|WRONG_VERSION|_SSL_|SSL_/, 'What listens there does not speak TLS: check the port of the base URL.'],
  [/ALTNAME/, 'The certificate is for another name: check the host of the base URL.'],
  [
    /EXPIRED|NOT_YET_VALID/,
    'Check the date and the clock of this machine; if they are right, the service’s certificate is out of date.',
  ],
  [/CERT|SIGNATURE|ISSUER/, certificate],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TIMEOUT/, 'Check the connection of this machine, its VPN and its firewall.'],
];

export function networkFix(code = '', { terminal, config }: DoctorContext): string {
  const host = config?.baseUrl === undefined ? 'the host' : new URL(config.baseUrl).hostname;
  const mend = fixes.find(([pattern]) => pattern.test(code))?.[1] ?? 'Check the network and the base URL.';
  const found = mend.replace('HOST', host);
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'].find((name) => terminal.env[name]);
  return proxy ? `${found} (${proxy} is set, and this program does not use it.)` : found;
}
