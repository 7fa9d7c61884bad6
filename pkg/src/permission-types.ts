/** How a call is decided about: rules, modes, questions to a person and their answers. */

/** A word on calls: which, whose, and whether they may be made. Of several that hit, deny beats ask beats allow. */
export interface Rule {
  /** Your name for it; a decision that rests on it tells it. */
  id: string;
  /** `ask`: a person decides each time. */
  effect: "allow" | "ask" | "deny";
  /** Tools by id or by the name the model calls; `*` stands for anything. All if missing. */
  tool?: string;
  /** The name of the action, for example `tool:workspace_shell`; `*` stands for anything. */
  action?: string;
  /** The path, command or address the call is about; `*` stands for anything. A call about none is not meant. */
  pattern?: string;
  /** Whom it is about: patterns, and a level that must be the same. Everybody if missing. */
  who?: { user?: string; role?: string; group?: string; session?: string; route?: string; agent?: string; platform?: string; level?: number };
  /** Until when: a number is a time in milliseconds since the Unix epoch. `forever` if missing. */
  until?: "turn" | "session" | "forever" | number;
  /** Where it comes from; `user` if missing. */
  source?: "policy" | "host" | "session" | "local" | "project" | "user";
  /** An allow that also beats the ask rules of weaker sources. */
  final?: boolean;
}

/** How freely a run works where no rule says more, from careful to free. See the README for what each one lets pass. */
export type Mode = "read-only" | "files" | "manual" | "accept-edits" | "auto" | "allow" | "full_access";

/**
 * A mode as it can be said: `plan` is `read-only`, and the model is told that planning must be left first; `default` is
 * `manual`, `bypass` is `allow`; `unattended` is `full_access` with the mark of that name; `dontAsk` leaves the mode as it is
 * and has nobody asked.
 */
export type ModeWord = Mode | "plan" | "default" | "bypass" | "full-access" | "unattended" | "dontAsk";

/** For whom a run works. */
export interface Subject {
  id?: string;
  /**
   * From 0 (nothing but reading) to 5 (the owner); that of the roles if it is higher, 1 if neither says one. A 0 stays 0.
   * `allow` and `full_access` count only for 5.
   */
  level?: 0 | 1 | 2 | 3 | 4 | 5;
  /** As you call them; rules can be about them. `owner`, `group-owner`, `admin` and `member` bring the levels 5, 4, 3 and 1. */
  roles?: string[];
  /** As you call them; rules can be about them. */
  groups?: string[];
}

/** The terms a run works under. */
export interface RunPermissions {
  /** The mode; that of the profile counts beside it, and the stricter verdict of both holds. By level if missing. */
  mode?: ModeWord;
  /** What others want beside it, such as the route of a request or a plugin: of all modes the strictest verdict holds. `setMode` leaves them. */
  modes?: ModeWord[];
  /** For whom it works; the host's own user, level 5, if missing. */
  subject?: Subject;
  /** Tools that are asked for each time or switched off, by pattern over their names or ids; beside those of the profile. */
  tiers?: { readonly [pattern: string]: "auto" | "ask" | "off" };
  /** Directories below which tools may write without leaving the bounds of the run, beside the roots of the workspace. */
  workingDirectories?: string[];
  /** Hosts that they may reach so, by pattern over the name, for example `*.example.org`; a tool says by `target.url` whom it reaches. */
  allowedHosts?: string[];
  /**
   * Whether somebody answers. If missing: whether there is an `onApproval`. Say `true` where questions are read from the
   * events and answered with `decide`. Without anybody a call that needs leave is denied at once, and the model is told.
   */
  canPrompt?: boolean;
  /** Nobody watches; told with each question, changes no verdict. */
  unattended?: boolean;
  /** The way the request came in, as you call it; rules can be about it. */
  route?: string;
  /** The platform, as you call it; rules can be about it. */
  platform?: string;
}

/** What a call does, as decisions and questions see it. */
export interface Action {
  readonly name: string;
  /** What it is about, for example `{ path }`, `{ command }` or `{ url }`. */
  readonly target?: any;
  readonly risk?: readonly ("review" | "dangerous" | "critical")[];
  readonly effect?: "read" | "write" | "exec";
  readonly parts?: readonly Action[];
  /** Whether an answer may hold for more than this call. */
  readonly remember: boolean;
}

/**
 * What a person is shown of a call. `background`: it goes on after the answer to its call. `replaceAll`: every occurrence is
 * replaced; `occurrences`: so many. `append`: the content is added at the end. `bytesBefore`: what the file has now, if it is there.
 */
export type Preview =
  | { readonly kind: "command"; readonly command: string; readonly cwd: string | null; readonly background?: true }
  | { readonly kind: "file_edit"; readonly path: string; readonly diff: string; readonly replaceAll?: true; readonly occurrences?: number }
  | { readonly kind: "file_write"; readonly path: string; readonly bytes: number; readonly firstLines: readonly string[]; readonly totalLines: number; readonly truncated: boolean; readonly append?: true; readonly bytesBefore?: number }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "choice"; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: "plain"; readonly path?: string };

/** How a question can be answered: for this call, its run, its session, for good; or not. */
export type AnswerWord = "once" | "turn" | "session" | "always" | "reject" | "never";

/** A call that waits for a person. Plain data: it can be shown anywhere and sent anywhere. */
export interface ApprovalRequest {
  /** What `decide` takes. */
  readonly approvalId: string;
  readonly callId: string;
  readonly toolId: string;
  /** The tool as the model calls it. */
  readonly alias: string;
  readonly title: string;
  /** What the call does, in one line. */
  readonly summary: string;
  readonly action: Action;
  /** Why it is asked, in one sentence. */
  readonly reason: string;
  readonly preview: Preview;
  /** The answers that will hold. Another one counts as the next narrower of these. */
  readonly answers: readonly AnswerWord[];
  /** When it counts as denied; milliseconds since the Unix epoch. */
  readonly deadline: number;
  /** What a lasting answer would come to. */
  readonly suggestions: readonly Suggestion[];
  readonly unattended?: true;
}

/** What a lasting answer would come to, or what else would settle such questions. */
export type Suggestion =
  | { readonly kind: "rule"; readonly scope: string; readonly answer: "always"; readonly rule: Rule }
  | { readonly kind: "grant"; readonly scope: string; readonly answer: "session"; readonly keys: unknown }
  | { readonly kind: "mode"; readonly mode: Mode }
  | { readonly kind: "directory"; readonly path: string };

/** An answer to a question: a word, or a word with more. */
export type Decision =
  | AnswerWord
  | {
      readonly answer: AnswerWord;
      /** The call is made with these arguments instead. They are checked as the model's are. */
      readonly args?: { readonly [name: string]: unknown };
      /** What the model reads with a rejection. */
      readonly message?: string;
      /** Who answered, for the journal. */
      readonly by?: string;
      /** Where `always` and `never` hold; `local` if missing. */
      readonly scope?: "local" | "session" | "project" | "user";
    };

/** Answers questions. What it throws, or anything that is no answer, counts as nobody being there. */
export type OnApproval = (request: ApprovalRequest, context: ApprovalContext) => Decision | Promise<Decision>;

/** What `onApproval` learns beside the question. */
export interface ApprovalContext {
  readonly runId: string;
  /** Fires when the question is settled otherwise (`decide`, time, a cancelled run): close the dialog. */
  readonly signal: AbortSignal;
}

/** Judges calls that the mode `auto` does not let pass by itself. What it throws, or anything but a sure `safe` in time, has a person asked. */
export type OnReview = (request: ReviewRequest, context: { readonly signal: AbortSignal }) => Review | Promise<Review>;

/** A call that a reviewer judges. */
export interface ReviewRequest {
  readonly runId: string;
  readonly callId: string;
  readonly action: Action;
  /** What the tool says of it: `traits.classifierText`, filled in. */
  readonly text: string;
}

/** What a reviewer says. */
export type Verdict = "safe" | "unsafe" | "unsure";

/** A verdict, or one with how sure it is: from 0 to 1, and below 0.8 a person is asked. A verdict alone is sure. */
export type Review = Verdict | { readonly verdict: Verdict; readonly confidence: number };

/** Keeps a rule that `always` or `never` has brought; if it throws, the answer holds for the session instead. */
export type OnRule = (rule: Rule, context: { readonly runId: string }) => void | Promise<void>;

/** A question that waits, and the run it belongs to. */
export interface PendingApproval {
  readonly runId: string;
  readonly request: ApprovalRequest;
}

/** The questions of one run. */
export interface Asking {
  /** Those that wait, oldest first. */
  pending(): readonly ApprovalRequest[];
  /** Answers one. The first answer counts; `false`: it does not wait any more, and nothing has changed. */
  decide(approvalId: string, decision: Decision): boolean;
}

/** Who may do what in a runtime. */
export interface Permissions {
  /**
   * Sets the rules; they replace those there are, also those that answers have brought. They hold from the next decision
   * on. Rejects with `command.invalid`, naming the member, if one of them cannot be read.
   */
  setRules(rules: readonly Rule[]): Promise<void>;
  /** The rules that hold: those set last, and those that answers have brought since. */
  readonly rules: readonly Rule[];
  /** The questions of all runs that wait, oldest first. */
  readonly pending: readonly PendingApproval[];
  /** Answers a question of any run. `false`: it does not wait any more, and nothing has changed. */
  decide(approvalId: string, decision: Decision): boolean;
  /** Changes the mode of a run that goes on, from its next decision on. */
  setMode(runId: string, mode: ModeWord): Promise<void>;
  /** Lets a run write below one more directory without leaving its bounds. */
  addWorkingDirectory(runId: string, path: string): Promise<void>;
}
