const width = 120;

/** JSON for people: what fits into a line is one, everything else is a line for each of its values. */
export function printJson(value, indent = '', room = width) {
  const line = JSON.stringify(value);
  if (line.length <= room - indent.length || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((item) => `${deeper}${printJson(item, deeper)}`)
    : Object.entries(value).map(([key, item]) => {
        const name = `${JSON.stringify(key)}: `;
        return `${deeper}${name}${printJson(item, deeper, width - name.length)}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`;
}
