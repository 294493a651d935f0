/** What the tables of the store consist of, read from the migrations, so that a check needs no second list. */
import { migrationsFor } from './migrations.ts';

export interface Schema {
  /** The columns of each table. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** The names of indexes and triggers. */
  readonly others: readonly string[];
}

/** The schema that all migrations of an engine create. */
export function getSchema(dialect: Parameters<typeof migrationsFor>[0]): Schema {
  const tables = new Map<string, readonly string[]>();
  const others: string[] = [];
  for (const sql of migrationsFor(dialect).flat()) {
    const [, table, columns] = /^CREATE TABLE (\w+) \((.*)\)$/s.exec(sql) ?? [];
    if (table !== undefined && columns !== undefined) tables.set(table, readColumns(columns));
    const [, changed, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(sql) ?? [];
    if (changed !== undefined && column !== undefined) tables.set(changed, [...(tables.get(changed) ?? []), column]);
    const [, name] = /^CREATE (?:UNIQUE )?(?:INDEX|TRIGGER) (\w+)/.exec(sql) ?? [];
    if (name !== undefined) others.push(name);
  }
  return { tables, others };
}

/** The names of the columns: the first name of each part outside of parentheses, without the primary key. */
function readColumns(text: string): string[] {
  const parts = text.replace(/\([^()]*\)/g, '').split(',');
  return parts.flatMap((part) => /^\s*(?!PRIMARY\b)(\w+)/.exec(part)?.[1] ?? []);
}
