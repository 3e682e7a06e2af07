/** An administrator vouches for the address of an organization that they make; everybody else proves theirs. */
export const isVerified = ({
  emailVerified,
  signupSource,
}: {
  emailVerified: boolean
  signupSource: string
}): boolean => emailVerified || signupSource === 'admin'

/** On the waitlist without an account: a sign-up with its address gets it. It has no keys and no data yet. */
export const isClaimable = ({ signupSource, hasAccount }: { signupSource: string; hasAccount: boolean }): boolean =>
  signupSource === 'waitlist' && !hasAccount
