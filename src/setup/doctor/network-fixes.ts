import type { DoctorContext } from './context.ts';

const certificate =
  'The certificate is not trusted: another server may be responding in place of the service. Behind a company’s TLS-inspecting proxy, set NODE_EXTRA_CA_CERTS to its certificate file; otherwise stop, and check the base URL and the network.';

/** Fixes by error code of the network. */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND/, 'Check the spelling of HOST in the base URL, and whether this machine can resolve other names.'],
  [/EAI_AGAIN/, 'DNS is not available: check the network connection of this machine.'],
  [
    /ECONNREFUSED/,
    'Nothing listens at this address: check the host and the port of the base URL, and whether the service runs.',
  ],
  [/EPROTO|WRONG_VERSION|_SSL_|SSL_/, 'The server at this address does not use TLS: check the port of the base URL.'],
  [/ALTNAME/, 'The certificate is for another name: check the host of the base URL.'],
  [
    /EXPIRED|NOT_YET_VALID/,
    'Check the date and the clock of this machine; if they are correct, the service’s certificate has expired.',
  ],
  [/CERT|SIGNATURE|ISSUER/, certificate],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TIMEOUT/,
    'Check the network connection of this machine, its VPN and its firewall.',
  ],
];

export function networkFix(code = '', { terminal, config }: DoctorContext): string {
  const host = config?.baseUrl === undefined ? 'the host' : new URL(config.baseUrl).hostname;
  const fix = fixes.find(([pattern]) => pattern.test(code))?.[1] ?? 'Check the network and the base URL.';
  const found = fix.replace('HOST', host);
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'].find((name) => terminal.env[name]);
  return proxy ? `${found} (${proxy} is set, but this program does not use it.)` : found;
}
