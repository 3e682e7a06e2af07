// Log lines for a person at a terminal; everywhere else a line is JSON.
type Line = { level: string; time: string; process: string; message?: string; err?: { stack?: string } }

export const readableLog = (to: { write(text: string): unknown }) => ({
  write: (line: string): void => void to.write(readable(line)),
})

function readable(line: string): string {
  const { level, time, process, message = '', err, ...rest } = JSON.parse(line) as Line
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const words = [time.slice(11, 19), level.padEnd(5), process, message, ...fields]
  // Whatever came from outside cannot move the cursor: a line of JSON has no control characters, and a stack is written alike.
  const stack = err?.stack?.split('\n').map((one) => `\n  ${JSON.stringify(one).slice(1, -1)}`) ?? []
  return `${words.join(' ')}${stack.join('')}\n`
}
