/** What the command says of itself. */

export const GENERAL: string = `handrail: an agent tool runtime, from the command line

  handrail call [TOOL [JSON]]     calls one tool and prints its result as a model reads it;
                                  without TOOL it lists the tools. JSON of - reads standard input
  handrail shell [-c SCRIPT]      runs a script in the sandboxed shell: SCRIPT, else standard input;
                                  on a terminal it is a prompt that keeps its working folder
  handrail demo                   a whole run on a recorded model

  --workspace DIR   works on a copy of the files in DIR
  --save            writes what has changed back to DIR
  --json            prints one JSON document instead of text
  --mode MODE       how freely calls are made: read-only, files, manual, accept-edits, auto, allow, full_access
  --deny, --ask, --allow TOOL[(PATTERN)]
                    a rule about a tool, or about its calls for a path or a command; may stand several times
  --help            says more about a command
  --version         says which version this is

Exit status: 0 if all went well, 1 if not, 2 if the command was not understood; that of the script for shell.
`;

export const CALL: string = `handrail call [TOOL [JSON]] [--workspace DIR [--save]] [--json]

Calls one tool, with arguments as a model would write them: {} if there are none, standard input for -.
Prints the result as a model reads it; with --json also its status, its code and what it did to files.
Without TOOL it lists the tools with the schemas of their arguments.

  handrail call workspace_write_file '{"path": "output/a.md", "content": "# A\\n"}' --workspace . --save
  handrail call workspace_search_files '{"query": "todo"}' --workspace notes

What needs your word is asked on the terminal; without one it is denied.

  handrail call workspace_write_file '{"path": "output/a.md", "content": ""}' --ask 'workspace_write_*'

Exit status: 0 for a result, 1 for an error result, 2 if the command was not understood.
`;

export const SHELL: string = `handrail shell [-c SCRIPT] [--workdir FOLDER] [--workspace DIR [--save]] [--json]

Runs SCRIPT in the sandboxed shell: bash, jq, JavaScript (js, node) and the usual commands, on files in memory. It has
no network and reaches nothing of this machine. Without -c the script is standard input; on a terminal it is a prompt
that keeps its working folder; leave it with exit or Ctrl+D.

  handrail shell -c 'ls output | wc -l' --workspace notes

With rules a script is taken apart before it runs, and what one of them forbids is not begun.

  handrail shell --workspace notes --deny 'workspace_shell(rm *)' --ask 'workspace_shell(mv *)'

Exit status: that of the script; 124 if its time was up, 130 if it was stopped, 126 if it could not be run.
`;

export const DEMO: string = `handrail demo [--provider openai-chat|anthropic] [--wire FILE]

A whole run, shown as it goes. The model is a recording in the format of that provider, or in FILE; with
HANDRAIL_BASE_URL, HANDRAIL_MODEL and HANDRAIL_API_KEY it is an endpoint.
`;
