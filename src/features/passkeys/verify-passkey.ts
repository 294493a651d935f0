/**
 * Checks the responses of passkeys. The library decides; the checks before it name what is wrong, because its errors have
 * no codes.
 */

import { createHash } from 'node:crypto';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, parseAuthenticatorData } from '@simplewebauthn/server/helpers';
import { log } from '../../core/log.ts';
import type { PasskeyProblem } from '../../core/orders/intent/approval-port.ts';
import { isSameText } from '../../core/text/same-text.ts';
import type { Passkey } from './kept-passkeys.ts';

/** ES256, EdDSA and RS256, which all devices have one of. */
export const algorithms = [-7, -8, -257];

/** What a response must be about. */
export interface Asked {
  /** Base64url. */
  readonly challenge: string;
  /** Of the page, exactly. */
  readonly origin: string;
}

export type Refused = { readonly problem: PasskeyProblem };

/** The fields of a response as the script of the page writes them; undefined when it is none of the page. */
export function readAnswer(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const fields: unknown = JSON.parse(text);
    const all = Object.entries(Object(fields));
    return all.every(([, value]) => typeof value === 'string' && /^[\w-]+$/.test(value))
      ? (Object.fromEntries(all) as Record<string, string>)
      : undefined;
  } catch {
    // JSON.parse throws for invalid JSON only.
    return undefined;
  }
}

/** Whether a passkey signed the challenge here, for a person whom its device has checked. */
export async function verifyAssertion(
  { id = '', clientDataJSON = '', authenticatorData = '', signature = '' }: Readonly<Record<string, string>>,
  asked: Asked,
  passkey: Passkey,
): Promise<{ readonly counter: number } | Refused> {
  const problem = findProblem(clientDataJSON, () => isoBase64URL.toBuffer(authenticatorData), 'webauthn.get', asked);
  if (problem) return { problem };
  if (isBehind(readCounter(authenticatorData), passkey.counter)) return { problem: 'counter' };
  const checked = await verifyAuthenticationResponse({
    response: { ...asResponse(id), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: asked.challenge,
    expectedOrigin: asked.origin,
    expectedRPID: relyingParty(asked),
    requireUserVerification: true,
    credential: { id: passkey.id, publicKey: isoBase64URL.toBuffer(passkey.publicKey), counter: passkey.counter },
  }).catch(notReadable);
  if (!checked) return { problem: 'malformed' };
  return checked.verified ? { counter: checked.authenticationInfo.newCounter } : { problem: 'signature' };
}

/** The passkey that was made here for the challenge. Only what the device says of itself is believed: no maker vouches. */
export async function verifyRegistration(
  { id = '', clientDataJSON = '', attestationObject = '' }: Readonly<Record<string, string>>,
  asked: Asked,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter'> | Refused> {
  let authData = new Uint8Array();
  const readData = () => {
    const made = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    // The library would load addresses that are in the certificate of a maker.
    if (!['none', 'packed'].includes(made.get('fmt')) || made.get('attStmt').get('x5c'))
      throw new Error('A certificate.');
    authData = new Uint8Array(made.get('authData'));
    return authData;
  };
  const problem = findProblem(clientDataJSON, readData, 'webauthn.create', asked);
  if (problem) return { problem };
  const checked = await verifyRegistrationResponse({
    response: { ...asResponse(id), response: { clientDataJSON, attestationObject } },
    expectedChallenge: asked.challenge,
    expectedOrigin: asked.origin,
    expectedRPID: relyingParty(asked),
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(notReadable);
  if (!checked) return { problem: 'malformed' };
  const made = checked.registrationInfo?.credential;
  if (!made || made.id !== id) return { problem: 'signature' };
  return { id, publicKey: isoBase64URL.fromBuffer(made.publicKey), counter: made.counter };
}

/** The name that its passkeys are for. */
export const relyingParty = ({ origin }: Pick<Asked, 'origin'>): string => new URL(origin).hostname;

/** A device that counts has counted on since its last use. Many have no counter: theirs stays 0. */
export const isBehind = (counter: number, kept: number): boolean => (counter > 0 || kept > 0) && counter <= kept;

const readCounter = (authenticatorData: string): number =>
  parseAuthenticatorData(isoBase64URL.toBuffer(authenticatorData)).counter;

const asResponse = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const;

/** The library throws for what it cannot read, as a signature of another form. Others can cause that, so it is no fault. */
const notReadable = (error: unknown): undefined => {
  log.warn('passkey_not_readable', { message: String(error) });
};

/** What is wrong with a response, apart from its signature; undefined when nothing is. */
function findProblem(
  clientDataJSON: string,
  readData: () => Uint8Array,
  type: string,
  asked: Asked,
): PasskeyProblem | undefined {
  try {
    const client = Object(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')));
    if (client.type !== type) return 'malformed';
    if (typeof client.challenge !== 'string' || !isSameText(client.challenge, asked.challenge)) return 'challenge';
    if (client.origin !== asked.origin || client.crossOrigin === true || client.topOrigin !== undefined)
      return 'origin';
    const { rpIdHash, flags } = parseAuthenticatorData(readData() as Parameters<typeof parseAuthenticatorData>[0]);
    const name = createHash('sha256').update(relyingParty(asked)).digest();
    if (!name.equals(rpIdHash)) return 'relying_party';
    return flags.up && flags.uv ? undefined : 'user_verification';
  } catch {
    // Bytes of another form cannot be read.
    return 'malformed';
  }
}
