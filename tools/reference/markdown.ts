// The few pieces of Markdown that the generated pages are made of.

/** Says where a page comes from, so that it is not edited by hand. */
export const page = (title: string, source: string, ...parts: string[]): string =>
  [`# ${title}`, `<!-- Written by \`npm run reference\` from ${source}. Do not edit. -->`, ...parts]
    .join('\n\n')
    .concat('\n')

export const code = (text: string): string => `\`${text}\``

/** A pipe would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

export const jsonBlock = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
