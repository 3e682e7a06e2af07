// Names of the API as Python writes them.
const words =
  'and as assert async await break class continue def del elif else except finally for from global if import in is'
const moreWords = 'lambda nonlocal not or pass raise return try while with yield None True False'
const reserved = new Set(`${words} ${moreWords}`.split(' '))

/** Not a valid name in Python. */
export const isReserved = (name: string): boolean => reserved.has(name) || !/^[A-Za-z_]\w*$/.test(name)

/** As PEP 8 has it: an underscore behind a word of Python. */
export const pythonName = (name: string): string => {
  const text = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  return reserved.has(text) ? `${text}_` : text
}
