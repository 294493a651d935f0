/**
 * The headers of every response: browsers do not store it, no page can frame it, and only its own script and style
 * run.
 */
import { createHash } from 'node:crypto';
import { script } from './page-script.ts';
import { style } from './page-style.ts';

const toHashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${toHashSource(style)}`,
  `script-src ${toHashSource(script)}`,
  "form-action 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export const safetyHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * For the page with the forms. With `no-referrer`, browsers send `Origin: null` with a form, and the origin check
 * would refuse every user. Other origins still receive no referrer.
 */
export const formPageHeaders = { 'referrer-policy': 'same-origin' };
