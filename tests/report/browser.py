# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium, driven through its pipe of the DevTools protocol."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One page. `problems` collects requests, console messages and exceptions."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        to_child, self.out = os.pipe()
        self.inward, from_child = os.pipe()
        flags = ("--headless=new --no-sandbox --disable-gpu-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader "
                 "--remote-debugging-pipe --no-first-run --disable-dev-shm-usage --disable-background-networking "
                 "--hide-scrollbars --window-size=1280,900")
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$0" {flags} --user-data-dir="$1" about:blank 3<&{to_child} 4>&{from_child}', find(), self.folder],
            pass_fds=(to_child, from_child), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.count, self.session, self.problems, self.page = b"", 0, None, [], ""
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(t["targetId"] for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.inward)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self, until):
        while b"\0" not in self.buffer:
            if not select.select([self.inward], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.inward, 1 << 16)
            if not data:
                raise EOFError("the browser has ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method, params):
        if method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if url != self.page and not url.startswith("data:"):
                self.problems.append(f"request: {url}")
        elif method == "Runtime.consoleAPICalled":
            self.problems.append("console: " + " ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.problems.append("log: " + params["entry"]["text"])

    def call(self, method, timeout=120, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + timeout
        while True:
            answer = self._read(until)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path, width=1280, height=900, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.page = "file://" + os.path.abspath(path)
        self.call("Page.navigate", url=self.page)
        self.wait("document.body && document.body.dataset.ready === 'yes'")

    def wait(self, condition, seconds=60):
        until = time.monotonic() + seconds
        while not self.run(f"!!({condition})"):
            if time.monotonic() > until:
                raise TimeoutError(f"{condition}: {self.problems}")
            time.sleep(0.05)

    def run(self, expression):
        """Value of an expression of the page, of a promise what it gives."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")
