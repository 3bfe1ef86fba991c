/** Plain JSON values: what may be stored, sent and hashed. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
