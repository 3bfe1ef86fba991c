export interface SbomComponent {
  readonly name: string;
  readonly version: string;
  readonly "bom-ref": string;
  readonly licenses?: readonly unknown[];
}
export function makeSbom(root: string): { readonly components: readonly SbomComponent[] };
