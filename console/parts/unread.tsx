import { texts } from '../texts.ts'
import { Refused } from './refused.tsx'
import { Screen } from './screen.tsx'

/** A screen whose thing could not be read. It has a heading as every screen has; nothing while the first answer is waited for. */
export const Unread = ({ error, again }: { error: unknown; again: () => unknown }) =>
  error ? (
    <Screen heading={texts.unread}>
      <Refused error={error} again={again} />
    </Screen>
  ) : null
