"""Thirteen public files as their authors published them, and small generated files that look like each:
the same header or none, delimiter, line ends, spellings of what is missing, ids and text."""

import csv
import lzma
import random
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class RawTable:
    name: str
    file: str
    options: list = field(default_factory=list)  # all that a user has to say
    label: int = -1  # place of the label
    id: int | None = None
    header: bool = False
    delimiter: str | None = ","  # None: any white space
    missing: dict = field(default_factory=dict)  # column number, from 1: cells without a value
    categorical: list = field(default_factory=list)  # column numbers, from 1
    warned: list = field(default_factory=list)  # words of warnings that are due
    rows: int = 0

    def packed(self):
        return self.file.endswith(".xz")

    def read(self, content):
        """Rows of cells, as Python reads them."""
        lines = content.decode().splitlines()
        if "@data" in lines:
            lines = lines[lines.index("@data") + 1:]
        if self.delimiter is None:
            rows = [line.split() for line in lines]
        else:
            rows = [[cell.strip() for cell in row]
                    for row in csv.reader(lines, delimiter=self.delimiter)]
        return rows[self.header:]


TABLES = [
    RawTable("credit_default", "UCI_Credit_Card.csv.xz", ["--id", "ID"], id=0, header=True,
             missing={6: 2}, rows=30000),
    RawTable("german", "german.data-numeric", delimiter=None, rows=1000),
    RawTable("heart", "heart.dat", delimiter=None, rows=270),
    RawTable("mammographic", "mammographic_masses.data", rows=961,
             missing={1: 2, 2: 5, 3: 31, 4: 48, 5: 76}),
    RawTable("phishing", "Training_Dataset.arff.xz", rows=11055),
    RawTable("ilpd", "Indian_Liver_Patient_Dataset_ILPD.csv", missing={10: 4}, categorical=[2],
             rows=583),
    RawTable("bupa", "bupa.data", rows=345),
    RawTable("transfusion", "transfusion.data", header=True, rows=748),
    RawTable("banknote", "data_banknote_authentication.txt", rows=1372),
    RawTable("parkinsons", "parkinsons.data", ["--label", "status", "--id", "name"], label=17, id=0,
             header=True, rows=195),
    RawTable("ionosphere", "ionosphere.data", warned=["column 2: all values are the same"], rows=351),
    RawTable("magic", "magic04.data", rows=19020),
    RawTable("haberman", "haberman.data", rows=306),
]

# As the UCI repository has it; the file above lost its head on the way.
ARFF = RawTable("phishing_arff", "Training Dataset.arff", categorical=[1, 2, 3, 4])


def real_text(table, folder):
    """The bytes of the file itself, unpacked."""
    content = (Path(folder) / table.name / table.file).read_bytes()
    return lzma.decompress(content) if table.packed() else content


class LookAlike:
    """Rows of two classes that overlap, written as the file of this name is."""

    ROWS = 160

    def __init__(self, table):
        self.table = table
        self.random = random.Random(table.name)

    def text(self):
        return getattr(self, self.table.name)().encode()

    def cases(self):
        """For each row its number, its class, and how it leans: noise around -1 or +1."""
        for n in range(self.ROWS):
            positive = self.random.random() < 0.4
            yield n, positive, self.random.gauss(1 if positive else -1, 1.2)

    def whole(self, lean, low, high):
        """A whole number in a range, which the class moves."""
        middle, spread = (low + high) / 2, (high - low) / 8
        return min(high, max(low, round(middle + spread * (lean + self.random.gauss(0, 1)))))

    def real(self, lean, digits=4):
        return f"{3 * lean + self.random.gauss(0, 2):.{digits}f}"

    def spread_missing(self, rows, spelling):
        """Takes as many cells of each column as the table misses."""
        for column, count in self.table.missing.items():
            for n in self.random.sample(range(self.ROWS), count):
                rows[n][column - 1] = spelling
        return rows

    def credit_default(self):
        names = ["LIMIT_BAL", "SEX", "EDUCATION", "MARRIAGE", "AGE", "PAY_0", "BILL_AMT1", "PAY_AMT1",
                 "default.payment.next.month"]
        rows = [[n + 1, 10000 * self.whole(lean, 1, 100), n % 2 + 1, n % 4 + 1, n % 3 + 1,
                 self.whole(lean, 21, 79), self.whole(lean, -2, 8), self.whole(lean, -9000, 90000),
                 self.whole(lean, 0, 9000), int(positive)] for n, positive, lean in self.cases()]
        return lines([["ID", *names], *self.spread_missing(rows, "nan")])

    def german(self):
        return "".join("".join(f"{cell:4d}" for cell in [
            n % 4 + 1, self.whole(lean, 4, 72), self.whole(lean, 0, 4), self.whole(lean, 2, 184),
            n % 2, positive + 1]) + " \n" for n, positive, lean in self.cases())

    def heart(self):
        return "".join(f"{self.whole(lean, 29, 77)}.0 {n % 2}.0 {self.whole(lean, 94, 200)}.0 "
                       f"{self.whole(lean, 0, 62) / 10} {positive + 1}\n"
                       for n, positive, lean in self.cases())

    def mammographic(self):
        rows = [[self.whole(lean, 1, 6), self.whole(lean, 18, 96), n % 4 + 1, self.whole(lean, 1, 5),
                 self.whole(lean, 1, 4), int(positive)] for n, positive, lean in self.cases()]
        return lines(self.spread_missing(rows, "?"), end="\r\n")

    def phishing(self):
        return lines([[self.whole(lean, -1, 1), self.whole(lean, -1, 1), self.random.choice([-1, 1]),
                       self.whole(2 * lean, -1, 1), 1 if positive else -1]
                      for _, positive, lean in self.cases()], end="\r\n")

    def phishing_arff(self):
        head = "".join(f"@attribute {name} {{ -1,0,1 }}\n" for name in [
            "having_IP_Address", "URL_Length", "'a % in \"it\"'", "SSLfinal_State"])
        return f"@relation phishing\n\n{head}@attribute Result {{ -1,1 }}\n\n@data\n" + self.phishing()

    def ilpd(self):
        rows = [[self.whole(lean, 4, 90), self.random.choice(["Male", "Female"]),
                 *[self.whole(lean, 4, 200) / 10 for _ in range(8)], positive + 1]
                for _, positive, lean in self.cases()]
        return lines(self.spread_missing(rows, ""), end="\r\n")

    def bupa(self):
        return lines([[self.whole(lean, 65, 103), self.whole(lean, 23, 138), self.whole(lean, 4, 155),
                       f"{self.whole(lean, 0, 40) / 2:.1f}", positive + 1]
                      for _, positive, lean in self.cases()])

    def transfusion(self):
        header = ('Recency (months),Frequency (times),Time (months),'
                  '"whether he/she donated blood in March 2007"\r\n')
        return header + "".join(
            f"{self.whole(lean, 0, 74)} ,{self.whole(lean, 1, 50)},{self.whole(lean, 2, 98)} ,"
            f"{int(positive)}\r\n" for _, positive, lean in self.cases())

    def banknote(self):
        return lines([[self.real(lean), self.real(lean), self.real(-lean), int(positive)]
                      for _, positive, lean in self.cases()], end="\r\n").removesuffix("\r\n")

    def parkinsons(self):
        names = [f"MDVP:Jitter({n}%)" for n in range(16)] + ["status", "RPDE", "PPE"]
        rows = [[f"phon_R01_S{n // 6:02d}_{n % 6 + 1}", *[self.real(lean, 5) for _ in range(16)],
                 int(positive), self.real(lean, 6), self.real(lean, 6)]
                for n, positive, lean in self.cases()]
        return lines([["name", *names], *rows], end="\r\n")

    def ionosphere(self):
        return lines([[n % 2, 0, self.real(lean, 5), self.real(lean, 5), "g" if positive else "b"]
                      for n, positive, lean in self.cases()])

    def magic(self):
        rows = [[self.real(lean), self.real(-lean), self.real(lean), "g" if positive else "h"]
                for _, positive, lean in self.cases()]
        return lines(sorted(rows, key=lambda row: row[-1]))

    def haberman(self):
        return lines([[self.whole(lean, 30, 83), self.whole(0, 58, 69), self.whole(lean, 0, 52),
                       positive + 1] for _, positive, lean in self.cases()])


def lines(rows, end="\n"):
    return "".join(",".join(map(str, row)) + end for row in rows)
