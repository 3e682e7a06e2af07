// Stretches of a day as a person writes them: `09:00–12:00, 13:00–17:00`. Pure.

type Stretch = { start: string; end: string }

export const stretchesText = (stretches: readonly Stretch[]): string =>
  stretches.map(({ start, end }) => `${start}–${end}`).join(', ')

/** A word that is no stretch is sent, so that the service says what is wrong with it. */
export const stretchesOf = (text: string): Stretch[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [start = '', end = ''] = part.split(/[–-]/).map((time) => time.trim())
      return { start, end }
    })
