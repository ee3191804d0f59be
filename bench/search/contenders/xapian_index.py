# The search engine Xapian in the benchmark: python3 bench/search/contenders/xapian_index.py <variant> <folder>
import json, os, sys, time
import xapian

variant, folder = sys.argv[1:3]
is_full_text = variant == 'fulltext'
stopwords = 'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'

stopper = xapian.SimpleStopper()
for word in stopwords.split():
    stopper.add(word)

writable = xapian.WritableDatabase(folder, xapian.DB_CREATE_OR_OPEN)
generator = xapian.TermGenerator()
generator.set_database(writable)
if is_full_text:
    generator.set_stemmer(xapian.Stem('english'))
else:
    generator.set_flags(xapian.TermGenerator.FLAG_SPELLING)


def index(file):
    taken = 0
    with open(file) as lines:
        for line in lines:
            document = json.loads(line)
            begun = time.perf_counter()
            entry = xapian.Document()
            generator.set_document(entry)
            if is_full_text:
                generator.index_text(document['title'], 3)
                generator.increase_termpos()
            generator.index_text(document['text'])
            entry.set_data(line)
            writable.add_document(entry)
            taken += time.perf_counter() - begun
    begun = time.perf_counter()
    writable.commit()
    return (taken + time.perf_counter() - begun) * 1000


def search(kind, texts):
    database = xapian.Database(folder)
    enquire = xapian.Enquire(database)
    parser = xapian.QueryParser()
    parser.set_database(database)
    flags = xapian.QueryParser.FLAG_PHRASE
    # Only complete words are corrected, since Xapian cannot correct the beginning of a word.
    if not kind.startswith('typo'):
        flags |= xapian.QueryParser.FLAG_PARTIAL
    if is_full_text:
        parser.set_stemmer(xapian.Stem('english'))
        parser.set_stopper(stopper)
        parser.set_default_op(xapian.Query.OP_OR)
    else:
        flags |= xapian.QueryParser.FLAG_SPELLING_CORRECTION
        parser.set_default_op(xapian.Query.OP_AND)
    times, found = [], 0
    for text in texts:
        begun = time.perf_counter()
        enquire.set_query(parser.parse_query('"%s"' % text if kind == 'phrase' else text, flags))
        results = enquire.get_mset(0, 50)
        corrected = parser.get_corrected_query_string()
        if results.empty() and corrected:
            enquire.set_query(parser.parse_query(corrected, flags))
            results = enquire.get_mset(0, 50)
        ids = [result.docid for result in results]
        times.append((time.perf_counter() - begun) * 1000)
        found += bool(ids)
    return {'times': times, 'found': found}


def size():
    return {'disk': sum(entry.stat().st_size for entry in os.scandir(folder))}


def reply(message):
    print(json.dumps(message), flush=True)


reply({'result': 'ready'})
for line in sys.stdin:
    verb, *arguments = json.loads(line)
    try:
        reply({'result': {'index': index, 'search': search, 'size': size}[verb](*arguments)})
    except Exception as error:
        reply({'error': str(error)})
