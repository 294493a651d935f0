/** The texts of a source file: comments, and string literals that hold more than one word. */
export interface SourceText {
  readonly line: number;
  readonly text: string;
}

/** A slash after one of these begins a pattern; elsewhere it divides. */
const beforePattern = /(?:^|[([{,;:=!&|?+\-*%~<>}]|\b(?:return|typeof|case|in|of))\s*$/;
const pattern = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const token = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;

export function textsIn(source: string): SourceText[] {
  const texts: SourceText[] = [];
  let at = 0;
  const match = (of: RegExp): string | undefined => {
    of.lastIndex = at;
    return of.exec(source)?.[0];
  };
  const add = (text: string, from: number) =>
    texts.push({
      line: source.slice(0, from).split('\n').length,
      text: text.replace(/\s*\n\s*(?:\*(?!\/))?\s*/g, ' '),
    });

  /** From after the opening backtick to after the closing one. */
  const template = () => {
    const from = at;
    let text = '';
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        at += 2;
        code('}');
        text += '…';
      } else {
        text += source[at];
        at += source[at] === '\\' ? 2 : 1;
      }
    }
    at += 1;
    if (/\s/.test(text.trim())) add(text, from);
  };

  /** To after the bracket that closes this part, or to the end. */
  const code = (end?: string) => {
    while (at < source.length) {
      const found = match(token);
      if (found !== undefined) {
        if (found.startsWith('/') || /\s/.test(found)) add(found, at);
        at += found.length;
        continue;
      }
      const char = source[at] as string;
      const isPattern = char === '/' && beforePattern.test(source.slice(Math.max(0, at - 20), at));
      at += isPattern ? (match(pattern)?.length ?? 1) : 1;
      if (char === '`') template();
      else if (char === '{') code('}');
      else if (char === end) return;
    }
  };
  code();
  return texts;
}

/** The prose of a document: without examples of code. */
export const proseOf = (markdown: string): SourceText[] =>
  markdown
    .replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/.*/g, ''))
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.replace(/(`+)[^\n]+?\1(?!`)/g, '') }));
