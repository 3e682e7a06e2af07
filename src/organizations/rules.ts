/** An administrator vouches for the address of an organization that they make; everybody else proves theirs. */
export const isProven = ({ emailVerified, signupSource }: { emailVerified: boolean; signupSource: string }): boolean =>
  emailVerified || signupSource === 'admin'
