#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Serve a scenario by the UM-Bridge protocol (HTTP and JSON): parameters in, probes out.

    umbridge_server.py SCENARIO --parameter PATH ... --probe NAME ... [--set PATH=VALUE] [--port 4242]

The model is called "hawser". Its first input is the vector of the parameters, in their order; each probe is an
output, a vector of its components at the end of the run. Several requests run at the same time, each in a
process of its own. Nothing but Python's own library is needed.
"""
import argparse
import http.server
import json
import math
import os
import subprocess
import sys

ERRORS = {"ModelNotFound": 404, "InvalidInput": 400, "UnsupportedFeature": 400, "ModelError": 500}


class Refused(Exception):
    """A request that gets an error of the protocol."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Model:
    def __init__(self, arguments):
        self.arguments = arguments
        self.settings = [word for text in arguments.set for word in ("--set", text)]
        # The sizes of the probes come from a run of the scenario as it is.
        self.sizes = [len(values) for values in self.run([])]

    def run(self, settings):
        command = [self.arguments.hawser, "run", self.arguments.scenario, "--no-output", "--json", "--quiet"]
        done = subprocess.run(command + self.settings + settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            raise Refused("ModelError", f"hawser ended with code {done.returncode}") from None
        if answer["status"] != "done":
            kind = "InvalidInput" if answer["status"] in ("refused", "usage") else "ModelError"
            raise Refused(kind, answer["message"] or answer["status"])
        probes = answer["probes"]
        missing = [name for name in self.arguments.probe if name not in probes]
        if missing:
            raise Refused("ModelError", f"no probe '{missing[0]}'; the scenario has {', '.join(probes)}")
        values = [probes[name] for name in self.arguments.probe]
        return [value if isinstance(value, list) else [value] for value in values]

    def evaluate(self, parameters):
        names = self.arguments.parameter
        if len(parameters) != 1 or len(parameters[0]) != len(names):
            raise Refused("InvalidInput", f"the input is one vector of {len(names)} numbers")
        for value in parameters[0]:
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise Refused("InvalidInput", "parameters are finite numbers")
        return self.run([word for name, value in zip(names, parameters[0]) for word in ("--set", f"{name}={value!r}")])


class Handler(http.server.BaseHTTPRequestHandler):
    model = None

    def answer(self, code, body):
        text = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        if self.path == "/Info":
            self.answer(200, {"protocolVersion": 1.0, "models": ["hawser"]})
        else:
            self.answer(404, {"error": {"type": "UnsupportedFeature", "message": self.path}})

    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.answer(200, self.reply(request))
        except Refused as refused:
            self.answer(ERRORS[refused.kind], {"error": {"type": refused.kind, "message": str(refused)}})
        except (ValueError, TypeError, KeyError) as error:
            self.answer(400, {"error": {"type": "InvalidInput", "message": str(error)}})

    def reply(self, request):
        if request.get("name") != "hawser":
            raise Refused("ModelNotFound", "the model is called 'hawser'")
        if self.path == "/ModelInfo":
            return {"support": {"Evaluate": True, "Gradient": False, "ApplyJacobian": False, "ApplyHessian": False}}
        if self.path == "/InputSizes":
            return {"inputSizes": [len(self.model.arguments.parameter)]}
        if self.path == "/OutputSizes":
            return {"outputSizes": self.model.sizes}
        if self.path == "/Evaluate":
            return {"output": self.model.evaluate(request["input"])}
        raise Refused("UnsupportedFeature", f"'{self.path}' is not among what this model supports")

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenario")
    parser.add_argument("--parameter", action="append", required=True, metavar="PATH", help="as for hawser run --set")
    parser.add_argument("--probe", action="append", required=True, metavar="NAME", help="of the scenario's output")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="a setting of all runs")
    parser.add_argument("--port", type=int, default=4242)
    parser.add_argument("--hawser", default=os.environ.get("HAWSER", "hawser"), help="the program")
    arguments = parser.parse_args()
    try:
        Handler.model = Model(arguments)
    except (Refused, OSError) as error:
        sys.exit(f"umbridge_server: {error}")
    with http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler) as server:
        print(f"model 'hawser' at http://127.0.0.1:{server.server_address[1]}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
