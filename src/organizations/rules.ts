/** An administrator vouches for the address of an organization that they make; everybody else proves theirs. */
export const isVerified = ({
  emailVerified,
  signupSource,
}: {
  emailVerified: boolean
  signupSource: string
}): boolean => emailVerified || signupSource === 'admin'

/** On the waitlist without a member: a sign-up with its address gets it. It has no keys and no data yet. */
export const isClaimable = ({ signupSource, hasMembers }: { signupSource: string; hasMembers: boolean }): boolean =>
  signupSource === 'waitlist' && !hasMembers
