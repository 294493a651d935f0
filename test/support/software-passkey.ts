/** A device with a passkey, in software: what a browser and its authenticator answer, and every way to answer wrongly. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What a test changes in an answer. */
export interface PasskeyChange {
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly counter?: number;
  /** Bit 0: somebody is there; bit 2: the device knows who. */
  readonly flags?: number;
  /** Changed after it was signed. */
  readonly spoil?: 'clientDataJSON' | 'authenticatorData' | 'signature';
}

const hash = (data: string | Buffer) => createHash('sha256').update(data).digest();
const present = 0x01;
const verified = 0x04;
const hasKey = 0x40;

export function createSoftwarePasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = 0;
  const clientData = (type: string, challenge: string, change: PasskeyChange) =>
    Buffer.from(
      JSON.stringify({
        type: change.type ?? type,
        challenge: change.challenge ?? challenge,
        origin: change.origin ?? origin,
        crossOrigin: change.crossOrigin ?? false,
      }),
    );
  const authenticatorData = (flags: number, change: PasskeyChange, more = Buffer.alloc(0)) => {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(change.counter ?? counter);
    const name = hash(change.rpId ?? new URL(origin).hostname);
    return Buffer.concat([name, Buffer.from([change.flags ?? flags]), count, more]);
  };
  const cose = () => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  };
  return {
    id: id.toString('base64url'),
    publicKey: cose().toString('base64url'),
    /** The answer to `navigator.credentials.create`, as the script of the page writes it. */
    create: (challenge: string, change: PasskeyChange = {}) => {
      const length = Buffer.from([0, id.length]);
      const key = Buffer.concat([Buffer.alloc(16), length, id, cose()]);
      const data = authenticatorData(present | verified | hasKey, change, key);
      // {"fmt": "none", "attStmt": {}, "authData": bytes of a length of two bytes}
      const head = Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex');
      const size = Buffer.from([0x58, data.length]);
      return JSON.stringify({
        id: id.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', challenge, change).toString('base64url'),
        attestationObject: Buffer.concat([head, size, data]).toString('base64url'),
      });
    },
    /** The answer to `navigator.credentials.get`. */
    get: ({ nonce, challenge }: { nonce: string; challenge: string }, change: PasskeyChange = {}) => {
      const parts = {
        clientDataJSON: clientData('webauthn.get', challenge, change),
        authenticatorData: authenticatorData(present | verified, change),
        signature: Buffer.alloc(0),
      };
      parts.signature = sign(
        'sha256',
        Buffer.concat([parts.authenticatorData, hash(parts.clientDataJSON)]),
        privateKey,
      );
      // A space at the end of JSON changes nothing but the bytes that were signed.
      if (change.spoil === 'clientDataJSON')
        parts.clientDataJSON = Buffer.concat([parts.clientDataJSON, Buffer.from(' ')]);
      else if (change.spoil) {
        const spoiled = parts[change.spoil];
        const at = spoiled.length - 1;
        spoiled[at] = (spoiled[at] ?? 0) ^ 1;
      }
      const texts = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64url')]);
      return JSON.stringify({ nonce, id: id.toString('base64url'), ...Object.fromEntries(texts) });
    },
  };
}

/** What a page asks a device for. */
export function readPasskeyOptions(page: string) {
  const [, escaped = ''] = /name="passkey" data-options="([^"]*)"/.exec(page) ?? [];
  const { nonce, get } = JSON.parse(escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
  return { nonce: String(nonce), challenge: String(get.challenge), get };
}
