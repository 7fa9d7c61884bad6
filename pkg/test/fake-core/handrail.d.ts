export default function init(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
export class Session {
  constructor();
  step(inputs: string, now: number): string;
  putBlob(bytes: Uint8Array): string;
  blob(digest: string): Uint8Array | undefined;
  snapshot(): Uint8Array;
  snapshotBlobs(): string[];
  restore(state: Uint8Array): void;
  inFlight(): string;
  free(): void;
}
