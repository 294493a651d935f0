export { cleanText } from '../clean-text.ts';
